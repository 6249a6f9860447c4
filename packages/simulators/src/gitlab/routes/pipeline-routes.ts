import { z } from 'zod';
import { readCommit } from '../../shared/git/commits.ts';
import { runAgain } from '../ci/answer-head.ts';
import { isRetryable, latestJobs, listPipelines, phaseOf, pipelineStatus } from '../ci/read-ci.ts';
import { boolean, inputOf } from '../http/input.ts';
import { paged } from '../http/pagination.ts';
import {
  authenticated,
  numberParameter,
  onCode,
  onThread,
  type ProjectCall,
  requireLevel,
  type ThreadCall,
  viewerOf,
} from '../http/requirements.ts';
import { type Answer, created, ok, type Route, route } from '../http/route.ts';
import { accessLevels } from '../state/access.ts';
import type { Pipeline } from '../state/ci-model.ts';
import { notFound } from '../state/refusal.ts';
import { showJob, showPipeline, showWholePipeline } from '../views/pipeline-view.ts';

const pipelines = '/projects/{id}/pipelines';

/** Pipelines, newest first. @see https://docs.gitlab.com/api/pipelines/ */
export const pipelineRoutes: readonly Route[] = [
  route(`GET ${pipelines}`, onCode(list)),
  route(`GET ${pipelines}/{pipeline_id}`, onCode(getOne)),
  route(`GET ${pipelines}/{pipeline_id}/jobs`, onCode(listJobs)),
  route(`POST ${pipelines}/{pipeline_id}/retry`, authenticated(onCode(retry))),
  route('GET /projects/{id}/merge_requests/{iid}/pipelines', onThread(listOfMergeRequest)),
];

const filter = z.object({
  sha: z.string().optional(),
  ref: z.string().optional(),
  status: z.string().optional(),
  sort: z.enum(['asc', 'desc']).default('desc'),
});
const jobFilter = z.object({
  scope: z
    .union([z.string(), z.array(z.string())])
    .transform((value) => [value].flat())
    .optional(),
  include_retried: boolean.default(false),
});

function list(call: ProjectCall): Answer {
  const { sha, ref, status, sort } = inputOf(call, filter);
  const now = call.state.now();
  const found = listPipelines(call.project, sha).filter(
    (pipeline) =>
      (ref === undefined || pipeline.ref === ref) &&
      (status === undefined || pipelineStatus(pipeline, now) === status),
  );
  return paged(call, sort === 'asc' ? found.toReversed() : found, {
    show: (pipeline) => showPipeline(call, call.project, pipeline),
  });
}

function getOne(call: ProjectCall): Answer {
  return ok(showWholePipeline(call, call.project, pipelineOf(call)));
}

/** Newest first. */
async function listJobs(call: ProjectCall): Promise<Answer> {
  const { scope, include_retried: withRetried } = inputOf(call, jobFilter);
  const { project, git, state } = call;
  const pipeline = pipelineOf(call);
  const jobs = (withRetried ? pipeline.jobs : latestJobs(pipeline)).filter(
    (job) => job.log !== null && (!scope || scope.includes(phaseOf(job, state.now()).status)),
  );
  const commit = await readCommit(git, project.gitDirectory, pipeline.sha);
  return paged(call, jobs.toReversed(), { show: (job) => showJob(call, project, { job, commit }) });
}

/** Runs again what failed or was canceled; it is no mistake where nothing was. */
function retry(call: ProjectCall): Answer {
  requireLevel(call, accessLevels.developer);
  const { project, state } = call;
  const now = state.now();
  const pipeline = pipelineOf(call);
  const jobs = pipeline.jobs.filter(
    (job) => isRetryable(job, now) && ['failed', 'canceled'].includes(phaseOf(job, now).status),
  );
  runAgain(call, project, { jobs, by: viewerOf(call) });
  return created(showWholePipeline(call, project, pipeline));
}

/** Pipelines of all heads that a merge request had. */
function listOfMergeRequest(call: ThreadCall): Answer {
  const { merge } = call.thread;
  if (!merge) throw notFound();
  const home = merge.sourceProject ?? call.project;
  const heads = new Set(merge.versions.map(({ refs }) => refs.head));
  const found = listPipelines(home).filter(({ sha }) => heads.has(sha));
  return paged(call, found, { show: (pipeline) => showPipeline(call, home, pipeline) });
}

function pipelineOf(call: ProjectCall): Pipeline {
  const pipeline = call.project.ci.pipelines.get(numberParameter(call, 'pipeline_id'));
  if (!pipeline) throw notFound();
  return pipeline;
}
