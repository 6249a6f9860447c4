import { readCommit } from '../../shared/git/commits.ts';
import { runAgain } from '../ci/answer-head.ts';
import { isRetryable, spanOf } from '../ci/read-ci.ts';
import {
  authenticated,
  numberParameter,
  onCode,
  type ProjectCall,
  requireLevel,
  viewerOf,
} from '../http/requirements.ts';
import { type Answer, created, ok, type Route, route } from '../http/route.ts';
import { accessLevels } from '../state/access.ts';
import type { Job } from '../state/ci-model.ts';
import { forbidden, notFound } from '../state/refusal.ts';
import { showJob } from '../views/pipeline-view.ts';

const job = '/projects/{id}/jobs/{job_id}';

/** Jobs, and what they print. @see https://docs.gitlab.com/api/jobs/ */
export const jobRoutes: readonly Route[] = [
  route(`GET ${job}`, onCode(getOne)),
  route(`GET ${job}/trace`, onCode(getTrace)),
  route(`POST ${job}/retry`, authenticated(onCode(retry))),
];

async function getOne(call: ProjectCall): Promise<Answer> {
  return ok(await show(call, jobOf(call)));
}

/** The whole log at once when the job has ended, nothing before. */
function getTrace(call: ProjectCall): Answer {
  const found = jobOf(call);
  const { finishedAt } = spanOf(found, call.state.now());
  const text = finishedAt === null ? '' : (found.log ?? '');
  return { status: 200, raw: Buffer.from(text), headers: { 'content-type': 'text/plain' } };
}

async function retry(call: ProjectCall): Promise<Answer> {
  requireLevel(call, accessLevels.developer);
  const old = jobOf(call);
  if (!isRetryable(old, call.state.now())) throw forbidden('Job is not retryable');
  const [again] = runAgain(call, call.project, { jobs: [old], by: viewerOf(call) });
  return created(again && (await show(call, again)));
}

async function show(call: ProjectCall, found: Job) {
  const commit = await readCommit(call.git, call.project.gitDirectory, found.pipeline.sha);
  return showJob(call, call.project, { job: found, commit });
}

/** @throws {Refusal} 404, also for what is said from outside */
function jobOf(call: ProjectCall): Job {
  const id = numberParameter(call, 'job_id');
  const jobs = [...call.project.ci.pipelines.values()].flatMap((pipeline) => pipeline.jobs);
  const found = jobs.find((one) => one.id === id && one.log !== null);
  if (!found) throw notFound();
  return found;
}
