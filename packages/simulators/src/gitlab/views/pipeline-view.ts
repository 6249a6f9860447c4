import type { CommitStatusSchema, ExpandedPipelineSchema, JobSchema, PipelineSchema } from '@gitbeaker/core';
import type { Commit } from '../../shared/git/commits.ts';
import { latestJobs, phaseOf, pipelineStatus, spanOf } from '../ci/read-ci.ts';
import type { Job, Pipeline } from '../state/ci-model.ts';
import type { Project } from '../state/model.ts';
import type { Vendor } from '../vendor.ts';
import { showCommit } from './git-view.ts';
import { type Place, showUser } from './user-view.ts';

type ShownPipeline = Vendor<PipelineSchema>;

/** A pipeline as lists show it. @see https://docs.gitlab.com/api/pipelines/ */
export function showPipeline({ state, web }: Place, project: Project, pipeline: Pipeline): ShownPipeline {
  const { id, iid, sha, ref, source, createdAt, jobs } = pipeline;
  const now = state.now();
  const changes = jobs.flatMap(({ phases }) => phases.map(({ at }) => at)).filter((at) => at <= now);
  return {
    id,
    iid,
    project_id: project.id,
    sha,
    ref,
    status: pipelineStatus(pipeline, now),
    source,
    created_at: toTime(createdAt),
    updated_at: toTime(Math.max(createdAt, ...changes)),
    web_url: `${web}/${project.path}/-/pipelines/${id}`,
  };
}

type ShownWhole = ShownPipeline &
  Vendor<
    Pick<ExpandedPipelineSchema, 'before_sha' | 'tag' | 'yaml_errors' | 'coverage' | 'queued_duration'>,
    {
      readonly user: ReturnType<typeof showUser>;
      readonly started_at: string | null;
      readonly finished_at: string | null;
      readonly duration: number | null;
    }
  >;

/** A single pipeline. */
export function showWholePipeline(place: Place, project: Project, pipeline: Pipeline): ShownWhole {
  const { startedAt, finishedAt } = pipelineSpan(pipeline, place.state.now());
  return {
    ...showPipeline(place, project, pipeline),
    before_sha: '0'.repeat(40),
    tag: false,
    yaml_errors: null,
    user: showUser(place, pipeline.user),
    started_at: toTimeOrNull(startedAt),
    finished_at: toTimeOrNull(finishedAt),
    duration: seconds(startedAt, finishedAt),
    queued_duration: seconds(pipeline.createdAt, startedAt),
    coverage: null,
  };
}

type ShownJob = Vendor<
  JobSchema,
  {
    readonly coverage: null;
    readonly started_at: string | null;
    readonly finished_at: string | null;
    readonly erased_at: null;
    readonly duration: number | null;
    readonly queued_duration: number | null;
    readonly user: ReturnType<typeof showUser>;
    readonly commit: ReturnType<typeof showCommit> | null;
    readonly pipeline: Pick<ShownPipeline, 'id' | 'iid' | 'project_id' | 'sha' | 'ref' | 'status'>;
    readonly artifacts: readonly [];
    readonly runner: null;
    readonly artifacts_expire_at: null;
    readonly tag_list: readonly [];
    readonly archived: boolean;
  },
  'artifacts_file' | 'project'
>;

/** A job. @see https://docs.gitlab.com/api/jobs/ */
export function showJob(
  place: Place,
  project: Project,
  shown: { readonly job: Job; readonly commit: Commit | null },
): ShownJob {
  const { job, commit } = shown;
  const now = place.state.now();
  const { status } = phaseOf(job, now);
  const { startedAt, finishedAt } = spanOf(job, now);
  const { id, iid, project_id, sha, ref, status: whole } = showPipeline(place, project, job.pipeline);
  return {
    id: job.id,
    status,
    stage: stageOf(job),
    name: job.name,
    ref: job.pipeline.ref,
    tag: false,
    coverage: null,
    allow_failure: job.allowFailure,
    created_at: toTime(job.createdAt),
    started_at: toTimeOrNull(startedAt),
    finished_at: toTimeOrNull(finishedAt),
    erased_at: null,
    duration: seconds(startedAt, finishedAt),
    queued_duration: seconds(job.createdAt, startedAt),
    ...(status === 'failed' && job.failureReason ? { failure_reason: job.failureReason } : {}),
    user: showUser(place, job.user),
    commit: commit && showCommit(place, project, commit),
    pipeline: { id, iid, project_id, sha, ref, status: whole },
    web_url: `${place.web}/${project.path}/-/jobs/${job.id}`,
    artifacts: [],
    runner: null,
    artifacts_expire_at: null,
    tag_list: [],
    archived: false,
  };
}

type ShownStatus = Vendor<
  CommitStatusSchema,
  {
    readonly status: ReturnType<typeof phaseOf>['status'];
    readonly pipeline_id: number;
    readonly author: ReturnType<typeof showUser>;
    readonly description: string | null;
    readonly target_url: string | null;
    readonly started_at: string | null;
    readonly finished_at: string | null;
    readonly coverage: null;
  }
>;

/** A job, or what is said from outside, as a status of its commit. @see https://docs.gitlab.com/api/commits/#list-the-statuses-of-a-commit */
export function showStatus(place: Place, project: Project, job: Job): ShownStatus {
  const { id, name, pipeline, createdAt, description, targetUrl, allowFailure } = job;
  const now = place.state.now();
  const { startedAt, finishedAt } = spanOf(job, now);
  return {
    id,
    sha: pipeline.sha,
    ref: pipeline.ref,
    status: phaseOf(job, now).status,
    name,
    target_url: job.log === null ? targetUrl : `${place.web}/${project.path}/-/jobs/${id}`,
    description,
    created_at: toTime(createdAt),
    started_at: toTimeOrNull(startedAt),
    finished_at: toTimeOrNull(finishedAt),
    allow_failure: allowFailure,
    coverage: null,
    pipeline_id: pipeline.id,
    author: showUser(place, job.user),
  };
}

/** Stage of a job: there is one, and that of what is said from outside. */
export function stageOf({ log }: Job): 'test' | 'external' {
  return log === null ? 'external' : 'test';
}

/** When a pipeline began to run and when it ended, as far as it has by now. */
export function pipelineSpan(pipeline: Pipeline, now: number): ReturnType<typeof spanOf> {
  const spans = latestJobs(pipeline).map((job) => spanOf(job, now));
  const starts = spans.flatMap(({ startedAt }) => startedAt ?? []);
  const ends = spans.flatMap(({ finishedAt }) => finishedAt ?? []);
  return {
    startedAt: starts.length > 0 ? Math.min(...starts) : null,
    finishedAt: ends.length > 0 && ends.length === spans.length ? Math.max(...ends) : null,
  };
}

/** Whole seconds between two times; null without both. */
export function seconds(from: number | null, to: number | null): number | null {
  return from === null || to === null ? null : (to - from) / 1000;
}

function toTime(at: number): string {
  return new Date(at).toISOString();
}

function toTimeOrNull(at: number | null): string | null {
  return at === null ? null : toTime(at);
}
