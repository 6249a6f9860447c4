import { z } from 'zod';
import { readCommit } from '../../shared/git/commits.ts';
import { addJob, ensurePipeline } from '../ci/answer-head.ts';
import { latestJobs, listPipelines, phaseOf } from '../ci/read-ci.ts';
import { boolean, inputOf } from '../http/input.ts';
import { paged } from '../http/pagination.ts';
import { authenticated, onCode, type ProjectCall, requireLevel, viewerOf } from '../http/requirements.ts';
import { type Answer, created, parameter, type Route, route } from '../http/route.ts';
import { accessLevels } from '../state/access.ts';
import type { Job, Pipeline } from '../state/ci-model.ts';
import { badRequest, notFound } from '../state/refusal.ts';
import { showStatus } from '../views/pipeline-view.ts';

/** Statuses of commits: jobs, and what is said from outside. @see https://docs.gitlab.com/api/commits/#commit-status */
export const statusRoutes: readonly Route[] = [
  route('GET /projects/{id}/repository/commits/{sha}/statuses', onCode(list)),
  route('POST /projects/{id}/statuses/{sha}', authenticated(onCode(say))),
];

const filter = z.object({
  ref: z.string().optional(),
  name: z.string().optional(),
  all: boolean.default(false),
});
const saying = z.object({
  state: z.enum(['pending', 'running', 'success', 'failed', 'canceled', 'skipped']),
  ref: z.string().optional(),
  name: z.string().optional(),
  context: z.string().optional(),
  target_url: z.string().nullish(),
  description: z.string().nullish(),
});
const events = {
  pending: 'enqueue',
  running: 'run',
  success: 'success',
  failed: 'drop',
  canceled: 'cancel',
  skipped: 'skip',
};

/** Oldest first; without `all` the newest of each name in its pipeline. */
function list(call: ProjectCall): Answer {
  const { ref, name, all } = inputOf(call, filter);
  const { project } = call;
  const pipelines = listPipelines(project, parameter(call, 'sha')).toReversed();
  const jobs = pipelines
    .filter((pipeline) => ref === undefined || pipeline.ref === ref)
    .flatMap((pipeline) => (all ? pipeline.jobs : latestJobs(pipeline)))
    .filter((job) => name === undefined || job.name === name);
  return paged(call, jobs, { show: (job) => showStatus(call, project, job) });
}

/** One that has not ended goes on under its id; after that each is a new one. */
async function say(call: ProjectCall): Promise<Answer> {
  requireLevel(call, accessLevels.developer);
  const { state, git, project } = call;
  const said = inputOf(call, saying);
  const sha = parameter(call, 'sha');
  if (!(await readCommit(git, project.gitDirectory, sha))) throw notFound('Commit');
  const head = { sha, ref: said.ref ?? branchOf(call, sha), by: viewerOf(call) };
  const job = ensureStatus(call, ensurePipeline(state, project, head), said);
  if (said.target_url !== undefined) job.targetUrl = said.target_url;
  if (said.description !== undefined) job.description = said.description;
  return created(showStatus(call, project, job));
}

function ensureStatus(call: ProjectCall, pipeline: Pipeline, said: z.infer<typeof saying>): Job {
  const { name = said.context ?? 'default', state: status } = said;
  const now = call.state.now();
  const open = latestJobs(pipeline).find(
    (job) =>
      job.log === null && job.name === name && ['pending', 'running'].includes(phaseOf(job, now).status),
  );
  const phase = { at: now, status };
  if (!open) return addJob(call.state, pipeline, { name, user: viewerOf(call), phases: [phase], log: null });
  const before = phaseOf(open, now).status;
  if (before === status) {
    const event = events[status];
    const reason = `Reason(s): Status cannot transition via "${event}"`;
    throw badRequest(`Cannot transition status via :${event} from :${before} (${reason})`);
  }
  open.phases.push(phase);
  return open;
}

function branchOf({ project }: ProjectCall, sha: string): string {
  const heads = [...project.mergeRequests.values()].filter(({ merge }) => merge?.headSha === sha);
  return heads[0]?.merge?.sourceBranch ?? project.defaultBranch;
}
