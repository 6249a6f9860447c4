import { askScript, type SimulatedAnnotation, type SimulatedCheck, timesOf } from '../../shared/ci-script.ts';
import { type Commit, readCommit } from '../../shared/git/commits.ts';
import type { CheckAnnotation, CheckPhase, CheckRun, WorkflowRun } from '../state/check-model.ts';
import { takeId } from '../state/create-state.ts';
import type { Repository, State, User } from '../state/model.ts';
import type { World } from '../state/world.ts';
import { addCheckRun, addStatus, ensureSuite, noOutput, openSuite, ownApp } from './write-checks.ts';

/** A head that was pushed, and by whom. */
export interface PushedHead {
  readonly sha: string;
  readonly branch: string;
  readonly by: User;
}

/** Lets CI answer a head that is new to it; what takes time is written down with its times. */
export async function answerHead(world: World, repository: Repository, head: PushedHead): Promise<void> {
  const { checks } = repository;
  if (!checks.script || checks.asked.has(head.sha)) return;
  checks.asked.add(head.sha);
  await report(world, repository, { ...head, checks: askAgain(world, repository, { ...head, attempt: 1 }) });
}

/** What CI says of a head in one attempt; nothing without CI. */
function askAgain(
  { git }: Pick<World, 'git'>,
  { checks, gitDirectory }: Repository,
  head: { readonly sha: string; readonly branch: string; readonly attempt: number },
): readonly SimulatedCheck[] {
  const { sha, branch, attempt } = head;
  return askScript(git, checks.script, { sha, branch, attempt, gitDirectory });
}

/** Writes down what checks say of a commit, from now on. */
export async function report(
  { state, git }: World,
  repository: Repository,
  said: PushedHead & { readonly checks: readonly SimulatedCheck[] },
): Promise<void> {
  const { sha, branch, by, checks } = said;
  const commit = await readCommit(git, repository.gitDirectory, sha);
  if (!commit) throw new Error(`There is no commit ${sha} to be checked.`);
  const jobs = checks.filter(({ kind = 'job' }) => kind === 'job');
  if (jobs.length > 0) {
    const suite = openSuite(state, repository, { app: ownApp(state, 'GitHub Actions'), commit, branch });
    const workflow: WorkflowRun = {
      id: takeId(state),
      number: repository.checks.workflows.size + 1,
      suite,
      actor: by,
      attempts: [{ by, at: state.now() }],
      jobs: [],
    };
    repository.checks.workflows.set(workflow.id, workflow);
    for (const job of jobs) addJob(state, repository, { workflow, check: job });
  }
  for (const check of checks) {
    if (check.kind === 'app') {
      const suite = ensureSuite(state, repository, { app: ownApp(state, 'Simulated CI'), commit, branch });
      addCheckRun(state, repository, { suite, name: check.name, phases: phasesOf(state, check) });
    }
    if (check.kind === 'status') sayStatuses(state, repository, { commit, check });
  }
}

/** Runs jobs of a workflow again: those that CI answers anew, or that say the same once more. */
export function runAgain(
  world: World,
  repository: Repository,
  {
    workflow,
    jobs,
    by,
  }: { readonly workflow: WorkflowRun; readonly jobs: readonly CheckRun[]; readonly by: User },
): void {
  const { state } = world;
  const { commit, branch } = workflow.suite;
  workflow.attempts.push({ by, at: state.now() });
  const attempt = workflow.attempts.length;
  const said = askAgain(world, repository, { sha: commit.sha, branch: branch ?? '', attempt });
  for (const { name, job, phases } of jobs) {
    const conclusion = phases.at(-1)?.conclusion ?? 'success';
    const same = { name, conclusion, log: job?.log ?? '' };
    addJob(state, repository, { workflow, check: said.find((check) => check.name === name) ?? same });
  }
}

function addJob(
  state: State,
  repository: Repository,
  { workflow, check }: { readonly workflow: WorkflowRun; readonly check: SimulatedCheck },
): void {
  const job = { workflow, attempt: workflow.attempts.length, log: check.log ?? '' };
  const { suite } = workflow;
  const run = addCheckRun(state, repository, {
    suite,
    name: check.name,
    phases: phasesOf(state, check),
    job,
  });
  workflow.jobs.push(run);
}

function phasesOf(state: State, check: SimulatedCheck): CheckPhase[] {
  const { conclusion, summary = null, annotations = [] } = check;
  const now = state.now();
  const { startedAt, completedAt } = timesOf(check, now);
  const open = { conclusion: null, completedAt: null, output: noOutput, annotations: [] };
  return [
    { ...open, at: now, status: 'queued', startedAt: now },
    { ...open, at: startedAt, status: 'in_progress', startedAt },
    {
      at: completedAt,
      status: 'completed',
      conclusion,
      startedAt,
      completedAt,
      output: { title: summary === null ? null : check.name, summary, text: null },
      annotations: annotations.map(toAnnotation),
    },
  ];
}

function toAnnotation({ path, line, message, level = 'failure' }: SimulatedAnnotation): CheckAnnotation {
  const nothing = { startColumn: null, endColumn: null, title: null, rawDetails: null };
  return { path, startLine: line, endLine: line, level, message, ...nothing };
}

function sayStatuses(
  state: State,
  repository: Repository,
  { commit, check }: { readonly commit: Commit; readonly check: SimulatedCheck },
): void {
  const { name: context, conclusion, summary = null } = check;
  const creator = ownApp(state, 'Simulated CI').bot;
  const common = { sha: commit.sha, commit, context, creator, targetUrl: 'https://example.com/build' };
  const at = state.now();
  const { completedAt: end } = timesOf(check, at);
  if (end > at) addStatus(state, repository, { ...common, state: 'pending', description: null, at });
  const said = conclusion === 'success' ? 'success' : 'failure';
  addStatus(state, repository, { ...common, state: said, description: summary, at: end });
}
