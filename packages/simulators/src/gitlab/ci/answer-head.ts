import { askScript, type CheckConclusion, type SimulatedCheck, timesOf } from '../../shared/ci-script.ts';
import type { Job, JobPhase, JobStatus, Pipeline } from '../state/ci-model.ts';
import { takeId } from '../state/create-state.ts';
import type { Project, State, Thread, User } from '../state/model.ts';
import type { World } from '../world.ts';

/** A commit that CI looks at, and who brought it there. */
export interface CheckedHead {
  readonly sha: string;
  /** Name of its branch. */
  readonly ref: string;
  readonly by: User;
}

/**
 * Lets CI answer the head of a merge request that is new to it; what takes time is written down with its times. The
 * pipeline is one of the source branch, and so of the fork where that is in one.
 */
export function answerHead({ state, git }: World, { project, merge }: Thread, by: User): void {
  const { ci, gitDirectory } = project;
  const sha = merge?.headSha;
  if (!merge || !sha || !ci.script || ci.asked.has(sha)) return;
  ci.asked.add(sha);
  const branch = merge.sourceBranch;
  const checks = askScript(git, ci.script, { sha, branch, attempt: 1, gitDirectory });
  report(state, merge.sourceProject ?? project, { sha, ref: branch, by, checks });
}

/** Writes down what checks say of a commit, from now on: jobs in a new pipeline, all else beside them. */
export function report(
  state: State,
  project: Project,
  said: CheckedHead & { readonly checks: readonly SimulatedCheck[] },
): void {
  const jobs = said.checks.filter(({ kind = 'job' }) => kind === 'job');
  const pipeline = jobs.length > 0 ? openPipeline(state, project, { ...said, source: 'push' }) : null;
  for (const check of said.checks) {
    const isJob = pipeline !== null && jobs.includes(check);
    addJob(state, isJob ? pipeline : ensurePipeline(state, project, said), {
      ...factsOf(check),
      name: check.name,
      user: said.by,
      phases: phasesOf(check, state.now()),
      log: isJob ? (check.log ?? '') : null,
      description: isJob ? null : (check.summary ?? null),
    });
  }
}

/** Runs jobs of a pipeline again: each says what CI answers anew, or the same once more. */
export function runAgain(
  { state, git }: World,
  project: Project,
  { jobs, by }: { readonly jobs: readonly Job[]; readonly by: User },
): readonly Job[] {
  const { ci, gitDirectory } = project;
  return jobs.map((job) => {
    const { pipeline, name, phases, log, allowFailure, failureReason } = job;
    const attempt = pipeline.jobs.filter((other) => other.name === name).length + 1;
    const head = { sha: pipeline.sha, branch: pipeline.ref, attempt, gitDirectory };
    const check = askScript(git, ci.script, head).find((said) => said.name === name);
    const same = { allowFailure, failureReason, phases: sayAgain(phases, state.now()) };
    const anew = check && { ...factsOf(check), phases: phasesOf(check, state.now()) };
    return addJob(state, pipeline, { name, user: by, log: check?.log ?? log, ...(anew ?? same) });
  });
}

/** Adds a job, or what is said from outside; an older one of its name counts no more. */
export function addJob(
  state: State,
  pipeline: Pipeline,
  job: Pick<Job, 'name' | 'user' | 'phases' | 'log'> &
    Partial<Pick<Job, 'allowFailure' | 'failureReason' | 'description' | 'targetUrl'>>,
): Job {
  const plain = { allowFailure: false, failureReason: null, description: null, targetUrl: null };
  const added: Job = {
    ...plain,
    ...job,
    id: takeId(state),
    pipeline,
    createdAt: state.now(),
    isRetried: false,
  };
  for (const older of pipeline.jobs) if (older.name === job.name) older.isRetried = true;
  pipeline.jobs.push(added);
  return added;
}

/** The newest pipeline of a commit, or a new one for what is said from outside. */
export function ensurePipeline(state: State, project: Project, head: CheckedHead): Pipeline {
  const found = [...project.ci.pipelines.values()].findLast(
    ({ sha, ref }) => sha === head.sha && ref === head.ref,
  );
  return found ?? openPipeline(state, project, { ...head, source: 'external' });
}

function openPipeline(
  state: State,
  { ci }: Project,
  { sha, ref, by, source }: CheckedHead & Pick<Pipeline, 'source'>,
): Pipeline {
  const opened: Pipeline = {
    id: takeId(state),
    iid: ci.pipelines.size + 1,
    sha,
    ref,
    source,
    user: by,
    createdAt: state.now(),
    jobs: [],
  };
  ci.pipelines.set(opened.id, opened);
  return opened;
}

const ends: Readonly<Record<CheckConclusion, JobStatus>> = {
  success: 'success',
  failure: 'failed',
  timed_out: 'failed',
  neutral: 'failed',
  cancelled: 'canceled',
  skipped: 'skipped',
  action_required: 'manual',
};

/** Facts of a check as a job. One that is neither fine nor a failure is a failure that does not count. */
function factsOf({ conclusion, allowFailure }: SimulatedCheck): Pick<Job, 'allowFailure' | 'failureReason'> {
  const reason = conclusion === 'timed_out' ? 'job_execution_timeout' : 'script_failure';
  return {
    allowFailure: allowFailure ?? conclusion === 'neutral',
    failureReason: ends[conclusion] === 'failed' ? reason : null,
  };
}

function phasesOf(check: SimulatedCheck, now: number): JobPhase[] {
  const { startedAt, completedAt } = timesOf(check, now);
  return [
    { at: now, status: 'pending' },
    { at: startedAt, status: 'running' },
    { at: completedAt, status: ends[check.conclusion] },
  ];
}

/** The same once more, in as much time. */
function sayAgain(phases: readonly JobPhase[], now: number): JobPhase[] {
  const start = phases[0]?.at ?? now;
  return phases.map(({ at, status }) => ({ at: at - start + now, status }));
}
