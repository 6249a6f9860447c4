import { runAgain } from '../checks/answer-head.ts';
import { isFine, jobsOf, phaseOf, summarizeWorkflow } from '../checks/read-checks.ts';
import { ok, rawText } from '../http/answers.ts';
import { paged } from '../http/pagination.ts';
import {
  type Needs,
  numberParameter,
  onRepository,
  type RepositoryCall,
  reads,
  viewerOf,
  writes,
} from '../http/requirements.ts';
import { type Answer, type Call, type Route, route } from '../http/route.ts';
import type { CheckRun, WorkflowRun } from '../state/check-model.ts';
import { forbidden, notFound } from '../state/refusal.ts';
import { findRepositoryById } from '../state/repositories.ts';
import { showJob, showWorkflowRun } from '../views/workflow-view.ts';
import { seenBy } from './check-routes.ts';
import { choice } from './list-issues.ts';

const address = '/repos/{owner}/{repo}/actions';
const run = `${address}/runs/{run_id}`;
const job = `${address}/jobs/{job_id}`;
const runs = 'actions/workflow-runs';
const jobs = 'actions/workflow-jobs';
const reading = reads('actions');
const rerunning: Needs = { ...writes('actions'), role: 'write' };
/** Length of the life of a log's address. */
const logMs = 60_000;

/** Runs of workflows, their jobs and the logs of these. */
export const actionsRoutes: readonly Route[] = [
  route(
    `GET ${address}/runs`,
    `${runs}#list-workflow-runs-for-a-repository`,
    onRepository(reading, listRuns),
  ),
  route(
    `GET ${run}`,
    `${runs}#get-a-workflow-run`,
    onRepository(reading, (call) => ok(showWorkflowRun(workflowOf(call), seenBy(call)))),
  ),
  route(
    `GET ${run}/jobs`,
    `${jobs}#list-jobs-for-a-workflow-run`,
    onRepository(reading, (call) => {
      const all = choice(call, 'filter', ['latest', 'all']) === 'all';
      return listJobs(call, all ? workflowOf(call).jobs : jobsOf(workflowOf(call)));
    }),
  ),
  route(
    `GET ${run}/attempts/{attempt_number}/jobs`,
    `${jobs}#list-jobs-for-a-workflow-run-attempt`,
    onRepository(reading, (call) =>
      listJobs(call, jobsOf(workflowOf(call), numberParameter(call, 'attempt_number'))),
    ),
  ),
  route(
    `POST ${run}/rerun`,
    `${runs}#re-run-a-workflow`,
    onRepository(rerunning, (call) => rerun(call, workflowOf(call), jobsOf(workflowOf(call)))),
  ),
  route(
    `POST ${run}/rerun-failed-jobs`,
    `${runs}#re-run-failed-jobs-from-a-workflow-run`,
    onRepository(rerunning, rerunFailed),
  ),
  route(
    `GET ${job}`,
    `${jobs}#get-a-job-for-a-workflow-run`,
    onRepository(reading, (call) => ok(showJob(jobOf(call), seenBy(call)))),
  ),
  route(
    `GET ${job}/logs`,
    `${jobs}#download-job-logs-for-a-workflow-run`,
    onRepository(reading, redirectToLog),
  ),
  route(
    `POST ${job}/rerun`,
    `${runs}#re-run-a-job-from-a-workflow-run`,
    onRepository(rerunning, (call) => {
      const wanted = jobOf(call);
      if (!wanted.job) throw notFound();
      return rerun(call, wanted.job.workflow, [wanted]);
    }),
  ),
  // Where the addresses of logs lead to: no credentials are asked for, and it is there for a minute.
  route('GET /_results/{repository_id}/{job_id}/{expires}', `${jobs}#logs`, readLog),
];

function listRuns(call: RepositoryCall): Answer {
  const { query } = call;
  const shown = [...call.repository.checks.workflows.values()]
    .reverse()
    .map((workflow) => showWorkflowRun(workflow, seenBy(call)));
  const wanted = shown.filter(
    ({ head_sha, head_branch, event, status, conclusion, actor, check_suite_id }) =>
      is(query.get('head_sha'), head_sha) &&
      is(query.get('branch'), head_branch) &&
      is(query.get('event'), event) &&
      (is(query.get('status'), status) || is(query.get('status'), conclusion)) &&
      is(query.get('actor'), actor?.login) &&
      is(query.get('check_suite_id'), String(check_suite_id)),
  );
  const page = paged(call, wanted, (found) => found);
  return { ...page, body: { total_count: wanted.length, workflow_runs: page.body } };
}

function is(asked: string | null, found: string | null | undefined): boolean {
  return asked === null || asked === '' || asked === found;
}

function listJobs(call: RepositoryCall, found: readonly CheckRun[]): Answer {
  const page = paged(call, found, (one) => showJob(one, seenBy(call)));
  return { ...page, body: { total_count: found.length, jobs: page.body } };
}

function rerunFailed(call: RepositoryCall): Answer {
  const workflow = workflowOf(call);
  const now = call.state.now();
  const failed = jobsOf(workflow).filter((one) => !isFine(phaseOf(one, now).conclusion));
  if (failed.length === 0) throw forbidden('This workflow run cannot be retried');
  return rerun(call, workflow, failed);
}

function rerun(call: RepositoryCall, workflow: WorkflowRun, again: readonly CheckRun[]): Answer {
  if (summarizeWorkflow(workflow, call.state.now()).status !== 'completed')
    throw forbidden('The workflow run containing this job is already running');
  runAgain(call, call.repository, { workflow, jobs: again, by: viewerOf(call) });
  return { status: 201, body: {} };
}

/** A log is there once the job has ended. */
function redirectToLog(call: RepositoryCall): Answer {
  const found = jobOf(call);
  const now = call.state.now();
  if (phaseOf(found, now).status !== 'completed') throw notFound();
  const location = `${call.urls.web}/_results/${call.repository.id}/${found.id}/${now + logMs}`;
  return { status: 302, headers: { location } };
}

function readLog(call: Call): Answer {
  const repository = findRepositoryById(call.state, numberParameter(call, 'repository_id'));
  const found = repository?.checks.runs.get(numberParameter(call, 'job_id'));
  if (!found?.job) throw notFound();
  if (numberParameter(call, 'expires') < call.state.now())
    throw forbidden('Server failed to authenticate the request.');
  const time = new Date(phaseOf(found, call.state.now()).startedAt ?? 0).toISOString().replace('Z', '0000Z');
  const lines = found.job.log.split('\n').map((line) => `${time} ${line}\n`);
  return rawText(lines.join(''), 'text/plain');
}

function workflowOf(call: RepositoryCall): WorkflowRun {
  const workflow = call.repository.checks.workflows.get(numberParameter(call, 'run_id'));
  if (!workflow) throw notFound();
  return workflow;
}

function jobOf(call: RepositoryCall): CheckRun {
  const found = call.repository.checks.runs.get(numberParameter(call, 'job_id'));
  if (!found?.job) throw notFound();
  return found;
}
