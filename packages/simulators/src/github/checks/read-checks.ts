import type { CheckConclusion } from '../../shared/ci-script.ts';
import type {
  CheckBook,
  CheckPhase,
  CheckRun,
  CheckSuite,
  CommitStatus,
  WorkflowRun,
} from '../state/check-model.ts';
import type { Repository, Thread } from '../state/model.ts';

/** How several checks stand together. */
export interface Summary {
  readonly status: CheckPhase['status'];
  readonly conclusion: CheckConclusion | null;
  /** When the last of them changed. */
  readonly updatedAt: number;
}

/** How a check run stands at a time. */
export function phaseOf({ phases }: CheckRun, now: number): CheckPhase {
  const present = phases.findLast(({ at }) => at <= now) ?? phases[0];
  if (!present) throw new Error('A check run begins with a phase.');
  return present;
}

/** The newest check run of each name of each suite. */
export function latestRuns(runs: readonly CheckRun[]): readonly CheckRun[] {
  const latest = new Map<string, CheckRun>();
  for (const run of runs) latest.set(`${run.suite.app.id} ${run.job ? run.suite.id : ''} ${run.name}`, run);
  return runs.filter((run) => [...latest.values()].includes(run));
}

/** Check runs on a commit, oldest first. */
export function runsOf(book: CheckBook, sha: string): readonly CheckRun[] {
  return [...book.runs.values()].filter(({ suite }) => suite.commit.sha === sha);
}

/** How the checks of a suite stand together. */
export function summarizeSuite(book: CheckBook, suite: CheckSuite, now: number): Summary {
  const runs = [...book.runs.values()].filter((run) => run.suite === suite);
  return summarize(latestRuns(runs), { now, since: suite.createdAt });
}

/** Jobs of an attempt; without a number, the newest of each name. */
export function jobsOf({ jobs }: WorkflowRun, attempt?: number): readonly CheckRun[] {
  if (attempt !== undefined) return jobs.filter(({ job }) => job?.attempt === attempt);
  return latestRuns(jobs);
}

/** How a run of a workflow stands. */
export function summarizeWorkflow(workflow: WorkflowRun, now: number): Summary {
  const since = workflow.attempts.at(-1)?.at ?? 0;
  return summarize(jobsOf(workflow), { now, since });
}

/** Statuses of a commit that have been said by now, oldest first. */
export function statusesOf(book: CheckBook, sha: string, now: number): readonly CommitStatus[] {
  return book.statuses.filter((status) => status.sha === sha && status.at <= now);
}

/** The newest status of each context. */
export function latestStatuses(statuses: readonly CommitStatus[]): readonly CommitStatus[] {
  return [...new Map(statuses.map((status) => [status.context, status])).values()];
}

/** Open pull requests of the repository's own branches whose head this commit is. */
export function pullsAt(repository: Repository, sha: string): readonly Thread[] {
  return [...repository.threads.values()].filter(
    ({ pull, state }) =>
      state === 'open' && pull?.headSha === sha && (pull.headRepository ?? repository) === repository,
  );
}

const fine: ReadonlySet<CheckConclusion | null> = new Set(['success', 'neutral', 'skipped']);

/** Checks whether a conclusion keeps nobody from merging. */
export function isFine(conclusion: CheckConclusion | null): boolean {
  return fine.has(conclusion);
}

function summarize(
  runs: readonly CheckRun[],
  { now, since }: { readonly now: number; readonly since: number },
): Summary {
  const phases = runs.map((run) => phaseOf(run, now));
  const updatedAt = Math.max(since, ...phases.map(({ at }) => at));
  const open = phases.filter(({ status }) => status !== 'completed');
  if (phases.length === 0 || open.length > 0) {
    const isQueued = phases.every(({ status }) => status === 'queued');
    return { status: isQueued ? 'queued' : 'in_progress', conclusion: null, updatedAt };
  }
  const bad = phases.find(({ conclusion }) => !isFine(conclusion))?.conclusion;
  return { status: 'completed', conclusion: bad ?? 'success', updatedAt };
}
