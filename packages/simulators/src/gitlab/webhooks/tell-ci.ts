import { latestJobs, listPipelines, phaseOf, spanOf } from '../ci/read-ci.ts';
import type { Job, Pipeline } from '../state/ci-model.ts';
import type { Project } from '../state/model.ts';
import { pipelineSpan, seconds, showPipeline, stageOf } from '../views/pipeline-view.ts';
import { type Place, showUser } from '../views/user-view.ts';
import { showHookProject, toHookTime } from './hook-parts.ts';

/** Tells of the newest pipeline of a commit as it stands now. @see https://docs.gitlab.com/user/project/integrations/webhook_events/#pipeline-events */
export function tellPipeline(place: Place, project: Project, sha: string) {
  const pipeline = newestPipeline(project, sha);
  const { id, iid, ref, status, source } = showPipeline(place, project, pipeline);
  const { startedAt, finishedAt } = pipelineSpan(pipeline, place.state.now());
  const jobs = latestJobs(pipeline);
  return {
    name: 'Pipeline Hook',
    payload: {
      object_kind: 'pipeline',
      object_attributes: {
        id,
        iid,
        name: null,
        ref,
        tag: false,
        sha,
        before_sha: '0'.repeat(40),
        source,
        status,
        detailed_status: status === 'success' ? 'passed' : status,
        stages: [...new Set(jobs.map(stageOf))],
        created_at: hookTime(pipeline.createdAt),
        finished_at: hookTime(finishedAt),
        duration: seconds(startedAt, finishedAt),
        queued_duration: seconds(pipeline.createdAt, startedAt),
        variables: [],
        url: `${place.web}/${project.path}/-/pipelines/${id}`,
      },
      merge_request: toldMergeRequest(place, project, sha),
      user: { ...showUser(place, pipeline.user), email: '[REDACTED]' },
      project: showHookProject(place, project),
      commit: commitOf(place, project, sha),
      builds: jobs.map((job) => tellBuild(place, job)),
    },
  };
}

/** Tells of the newest job of a name as it stands now. @see https://docs.gitlab.com/user/project/integrations/webhook_events/#job-events */
export function tellJob(
  place: Place,
  project: Project,
  { sha, name }: { readonly sha: string; readonly name: string },
) {
  const pipeline = newestPipeline(project, sha);
  const job = pipeline.jobs.findLast((one) => one.name === name);
  if (!job) throw new Error(`There is no job "${name}" of ${sha}.`);
  const now = place.state.now();
  const { startedAt, finishedAt } = spanOf(job, now);
  return {
    name: 'Job Hook',
    payload: {
      object_kind: 'build',
      ref: pipeline.ref,
      tag: false,
      before_sha: '0'.repeat(40),
      sha,
      retries_count: pipeline.jobs.filter((one) => one.name === name).length - 1,
      build_id: job.id,
      build_name: job.name,
      build_stage: stageOf(job),
      build_status: phaseOf(job, now).status,
      build_created_at: hookTime(job.createdAt),
      build_started_at: hookTime(startedAt),
      build_finished_at: hookTime(finishedAt),
      build_duration: seconds(startedAt, finishedAt),
      build_queued_duration: seconds(job.createdAt, startedAt),
      build_allow_failure: job.allowFailure,
      build_failure_reason:
        finishedAt === null ? 'unknown_failure' : (job.failureReason ?? 'unknown_failure'),
      pipeline_id: pipeline.id,
      runner: null,
      project_id: project.id,
      project_name: project.path.split('/').join(' / '),
      user: { ...showUser(place, job.user), email: '[REDACTED]' },
      commit: { id: pipeline.id, name: null, sha, status: showPipeline(place, project, pipeline).status },
      project: showHookProject(place, project),
      environment: null,
    },
  };
}

function tellBuild(place: Place, job: Job) {
  const now = place.state.now();
  const { startedAt, finishedAt } = spanOf(job, now);
  const { status } = phaseOf(job, now);
  return {
    id: job.id,
    stage: stageOf(job),
    name: job.name,
    status,
    created_at: hookTime(job.createdAt),
    started_at: hookTime(startedAt),
    finished_at: hookTime(finishedAt),
    duration: seconds(startedAt, finishedAt),
    queued_duration: seconds(job.createdAt, startedAt),
    failure_reason: status === 'failed' ? job.failureReason : null,
    when: 'on_success',
    manual: status === 'manual',
    allow_failure: job.allowFailure,
    user: { ...showUser(place, job.user), email: '[REDACTED]' },
    runner: null,
    artifacts_file: { filename: null, size: null },
    environment: null,
  };
}

/** The open merge request of the pipeline's branch; null for a branch without one. */
function toldMergeRequest({ web }: Place, project: Project, sha: string) {
  const thread = [...project.mergeRequests.values()].find(
    ({ state, merge }) => state === 'opened' && merge?.headSha === sha,
  );
  if (!thread?.merge) return null;
  const { sourceBranch, sourceProjectId, targetBranch } = thread.merge;
  return {
    id: thread.id,
    iid: thread.iid,
    title: thread.title,
    source_branch: sourceBranch,
    source_project_id: sourceProjectId,
    target_branch: targetBranch,
    target_project_id: project.id,
    state: thread.state,
    merge_status: 'can_be_merged',
    detailed_merge_status: 'mergeable',
    url: `${web}/${project.path}/-/merge_requests/${thread.iid}`,
  };
}

function newestPipeline(project: Project, sha: string): Pipeline {
  const [pipeline] = listPipelines(project, sha);
  if (!pipeline) throw new Error(`No pipeline ran for ${sha}.`);
  return pipeline;
}

function commitOf({ web }: Place, project: Project, sha: string) {
  return { id: sha, url: `${web}/${project.path}/-/commit/${sha}` };
}

function hookTime(at: number | null): string | null {
  return at === null ? null : toHookTime(new Date(at).toISOString());
}
