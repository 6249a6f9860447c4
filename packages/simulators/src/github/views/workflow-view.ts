import { phaseOf, pullsAt, summarizeWorkflow } from '../checks/read-checks.ts';
import { repositoryApi, repositoryPage } from '../http/urls.ts';
import type { CheckRun, WorkflowRun } from '../state/check-model.ts';
import { toTimestamp } from '../state/create-state.ts';
import { nodeId } from '../state/node-id.ts';
import type { Vendor } from '../vendor.ts';
import { type CheckSeen, jobPage, showMinimalRepository, showSimpleCommit } from './check-view.ts';
import { showMinimalPull } from './pull-view.ts';
import { showUser } from './user-view.ts';

const workflowName = 'CI';
const path = '.github/workflows/ci.yml';

/** Id of the one workflow that a repository has. */
function workflowId({ repository }: Pick<CheckSeen, 'repository'>): number {
  return repository.id * 10;
}

/** A run of a workflow as it stands now. */
export function showWorkflowRun(workflow: WorkflowRun, seen: CheckSeen): Vendor['workflow-run'] {
  const { repository, urls, now } = seen;
  const { id, number, suite, actor, attempts } = workflow;
  const { status, conclusion, updatedAt } = summarizeWorkflow(workflow, now);
  const api = repositoryApi(urls, repository);
  const url = `${api}/actions/runs/${id}`;
  const last = attempts.at(-1) ?? { by: actor, at: suite.createdAt };
  const previous = attempts.length > 1 ? `${url}/attempts/${attempts.length - 1}` : null;
  return {
    id,
    name: workflowName,
    node_id: nodeId('WorkflowRun', id),
    check_suite_id: suite.id,
    check_suite_node_id: nodeId('CheckSuite', suite.id),
    head_branch: suite.branch,
    head_sha: suite.commit.sha,
    path,
    run_number: number,
    run_attempt: attempts.length,
    referenced_workflows: [],
    event: 'pull_request',
    display_title: suite.commit.message.split('\n')[0] ?? '',
    status,
    conclusion,
    workflow_id: workflowId(seen),
    url,
    html_url: `${repositoryPage(urls, repository)}/actions/runs/${id}`,
    pull_requests: pullsAt(repository, suite.commit.sha).map((thread) => showMinimalPull(thread, urls)),
    created_at: toTimestamp(suite.createdAt),
    updated_at: toTimestamp(updatedAt),
    actor: showUser(actor, urls),
    triggering_actor: showUser(last.by, urls),
    run_started_at: toTimestamp(last.at),
    jobs_url: `${url}/jobs`,
    logs_url: `${url}/logs`,
    check_suite_url: `${api}/check-suites/${suite.id}`,
    artifacts_url: `${url}/artifacts`,
    cancel_url: `${url}/cancel`,
    rerun_url: `${url}/rerun`,
    previous_attempt_url: previous,
    workflow_url: `${api}/actions/workflows/${workflowId(seen)}`,
    head_commit: showSimpleCommit(suite),
    repository: showMinimalRepository(seen),
    head_repository: showMinimalRepository(seen),
  };
}

/** A job of a run as it stands now; it has the id of its check run. */
export function showJob(run: CheckRun, seen: CheckSeen): Vendor['job'] {
  const { repository, urls, now } = seen;
  const { status, conclusion, startedAt, completedAt } = phaseOf(run, now);
  const api = repositoryApi(urls, repository);
  const started = toTimestamp(startedAt ?? run.suite.createdAt);
  const completed = completedAt === null ? null : toTimestamp(completedAt);
  return {
    id: run.id,
    run_id: run.job?.workflow.id ?? 0,
    workflow_name: workflowName,
    head_branch: run.suite.branch,
    run_url: `${api}/actions/runs/${run.job?.workflow.id}`,
    run_attempt: run.job?.attempt ?? 1,
    node_id: nodeId('CheckRun', run.id),
    head_sha: run.suite.commit.sha,
    url: `${api}/actions/jobs/${run.id}`,
    html_url: jobPage(run, seen),
    status,
    conclusion,
    created_at: toTimestamp(run.phases[0]?.at ?? 0),
    started_at: started,
    completed_at: completed,
    name: run.name,
    steps: [
      {
        name: `Run ${run.name}`,
        status,
        conclusion,
        number: 1,
        started_at: started,
        completed_at: completed,
      },
    ],
    check_run_url: `${api}/check-runs/${run.id}`,
    labels: ['ubuntu-latest'],
    runner_id: 1,
    runner_name: 'GitHub Actions 1',
    runner_group_id: 0,
    runner_group_name: 'GitHub Actions',
  };
}
