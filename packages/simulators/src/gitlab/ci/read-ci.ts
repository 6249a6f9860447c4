import type { Job, JobPhase, JobStatus, Pipeline } from '../state/ci-model.ts';
import type { MergePart, Project, Thread } from '../state/model.ts';

const ended: ReadonlySet<JobStatus> = new Set(['success', 'failed', 'canceled', 'skipped', 'manual']);

/** State of a job at a time. */
export function phaseOf({ phases }: Job, now: number): JobPhase {
  const present = phases.findLast(({ at }) => at <= now) ?? phases[0];
  if (!present) throw new Error('A job begins with a phase.');
  return present;
}

/** When a job began to run and when it ended, as far as it has by now. */
export function spanOf(
  job: Job,
  now: number,
): { readonly startedAt: number | null; readonly finishedAt: number | null } {
  const past = job.phases.filter(({ at }) => at <= now);
  const last = past.at(-1);
  return {
    startedAt: past.find(({ status }) => status === 'running')?.at ?? null,
    finishedAt: last && ended.has(last.status) ? last.at : null,
  };
}

/** Checks whether a job has ended, and may be run again. */
export function isRetryable(job: Job, now: number): boolean {
  return job.log !== null && !job.isRetried && spanOf(job, now).finishedAt !== null;
}

/** The jobs of a pipeline that count, oldest first. */
export function latestJobs({ jobs }: Pipeline): readonly Job[] {
  return jobs.filter(({ isRetried }) => !isRetried);
}

/**
 * State of the jobs of a pipeline together. A failure that is allowed is none.
 * @see https://docs.gitlab.com/ci/pipelines/#pipeline-statuses
 */
export function pipelineStatus(pipeline: Pipeline, now: number): JobStatus {
  const statuses = latestJobs(pipeline).map((job) => countedStatus(job, now));
  const are = (...allowed: JobStatus[]) => statuses.every((status) => allowed.includes(status));
  if (are('skipped')) return 'skipped';
  if (are('success', 'skipped')) return 'success';
  if (are('success', 'skipped', 'canceled')) return 'canceled';
  if (are('pending', 'skipped')) return 'pending';
  if (statuses.some((status) => status === 'running' || status === 'pending')) return 'running';
  return statuses.includes('manual') ? 'manual' : 'failed';
}

/** Pipelines of a project, newest first. */
export function listPipelines({ ci }: Project, sha?: string): readonly Pipeline[] {
  const newestFirst = [...ci.pipelines.values()].toReversed();
  return sha === undefined ? newestFirst : newestFirst.filter((pipeline) => pipeline.sha === sha);
}

/** The newest pipeline of a merge request's head; null without one. */
export function headPipelineOf(merge: MergePart, thread: Thread): Pipeline | null {
  const home = merge.sourceProject ?? thread.project;
  return merge.headSha === null ? null : (listPipelines(home, merge.headSha)[0] ?? null);
}

/** Says why the pipeline keeps a merge request from being merged; null where it does not. */
export function whyCiWaits(
  thread: Thread,
  merge: MergePart,
  now: number,
): 'ci_must_pass' | 'ci_still_running' | null {
  if (!thread.project.ci.isRequired) return null;
  const pipeline = headPipelineOf(merge, thread);
  const status = pipeline && pipelineStatus(pipeline, now);
  if (status === 'pending' || status === 'running') return 'ci_still_running';
  return status === 'success' || status === 'skipped' ? null : 'ci_must_pass';
}

/** State of one check of a commit, whether it is a job or is said from outside. */
export interface CheckState {
  readonly name: string;
  readonly state: 'pending' | 'success' | 'failure';
}

/** All checks of a commit as they stand at a time: of one name, the newest counts. */
export function listCheckStates(
  project: Project,
  { sha, now }: { readonly sha: string; readonly now: number },
): readonly CheckState[] {
  const jobs = listPipelines(project, sha).toReversed().flatMap(latestJobs);
  const newest = new Map(jobs.map((job) => [job.name, job]));
  return [...newest.values()].map((job) => {
    const status = countedStatus(job, now);
    if (status === 'pending' || status === 'running') return { name: job.name, state: 'pending' };
    const isFine = status === 'success' || status === 'skipped';
    return { name: job.name, state: isFine ? 'success' : 'failure' };
  });
}

function countedStatus(job: Job, now: number): JobStatus {
  const { status } = phaseOf(job, now);
  const isAllowed = job.allowFailure && (status === 'failed' || status === 'canceled' || status === 'manual');
  return isAllowed ? 'success' : status;
}
