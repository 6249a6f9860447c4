import { latestStatuses, runsOf, statusesOf } from '../checks/read-checks.ts';
import { repositoryApi, repositoryPage } from '../http/urls.ts';
import type { CheckSuite, CommitStatus, WorkflowRun } from '../state/check-model.ts';
import { nodeId } from '../state/node-id.ts';
import { fullName } from '../state/repositories.ts';
import { type CheckSeen, showCheckRun, showCheckSuite, showSimpleStatus } from '../views/check-view.ts';
import { showCommit } from '../views/git-view.ts';
import { showWorkflowRun } from '../views/workflow-view.ts';
import type { CheckHappening } from './happening.ts';
import type { Told } from './told.ts';

/** Tells of the checks of a commit as they stand now. */
export function tellCheck(happening: CheckHappening, seen: CheckSeen): Told {
  const { checks } = seen.repository;
  const ofCommit = ({ commit }: CheckSuite) => commit.sha === happening.sha;
  if (happening.event === 'check_run') {
    const run = runsOf(checks, happening.sha).findLast(({ name }) => name === happening.name);
    if (!run) throw missing(`check run "${happening.name}"`, happening.sha);
    const check_run = { ...showCheckRun(run, seen), check_suite: tellSuite(run.suite, seen) };
    return { sender: run.job?.workflow.actor ?? run.suite.app.bot, action: happening.action, check_run };
  }
  if (happening.event === 'check_suite') {
    const suite = [...checks.suites.values()].findLast(ofCommit);
    if (!suite) throw missing('check suite', happening.sha);
    return { sender: suite.app.bot, action: happening.action, check_suite: tellSuite(suite, seen) };
  }
  if (happening.event === 'workflow_run') {
    const workflow = [...checks.workflows.values()].findLast(({ suite }) => ofCommit(suite));
    if (!workflow) throw missing('workflow run', happening.sha);
    return { action: happening.action, ...tellWorkflow(workflow, seen) };
  }
  const said = latestStatuses(statusesOf(checks, happening.sha, seen.now));
  const status = said.find(({ context }) => context === happening.context);
  if (!status) throw missing(`status "${happening.context}"`, happening.sha);
  return tellStatus(status, seen);
}

function missing(what: string, sha: string): Error {
  return new Error(`There is no ${what} of ${sha} yet.`);
}

/** Without the repository, which stands beside it. */
function tellSuite(suite: CheckSuite, seen: CheckSeen) {
  const { repository: _, ...shown } = showCheckSuite(suite, seen);
  return shown;
}

function tellWorkflow(workflow: WorkflowRun, seen: CheckSeen): Told {
  const { repository, urls } = seen;
  const shown = showWorkflowRun(workflow, seen);
  const page = `${repositoryPage(urls, repository)}/actions/workflows/ci.yml`;
  return {
    sender: workflow.actor,
    workflow_run: shown,
    workflow: {
      id: shown.workflow_id,
      node_id: nodeId('Workflow', shown.workflow_id),
      name: shown.name,
      path: shown.path,
      state: 'active',
      created_at: repository.createdAt,
      updated_at: repository.createdAt,
      url: shown.workflow_url,
      html_url: page,
      badge_url: `${page}/badge.svg`,
    },
  };
}

function tellStatus(status: CommitStatus, seen: CheckSeen): Told {
  const { repository, urls } = seen;
  const { sha, commit, creator } = status;
  const tips = new Map(repository.activity.map(({ ref, after }) => [ref, after]));
  const branches = [...tips].filter(([, tip]) => tip === sha);
  const { id, state, target_url, description, context, created_at, updated_at } = showSimpleStatus(
    status,
    seen,
  );
  return {
    sender: creator,
    ...{ id, sha, name: fullName(repository), target_url, context, description, state },
    commit: showCommit(repository, commit, urls),
    branches: branches.map(([ref]) => ({
      name: ref.replace('refs/heads/', ''),
      commit: { sha, url: `${repositoryApi(urls, repository)}/commits/${sha}` },
      protected: false,
    })),
    created_at,
    updated_at,
  };
}
