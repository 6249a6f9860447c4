import { latestRuns, phaseOf, pullsAt, summarizeSuite } from '../checks/read-checks.ts';
import { repositoryApi, repositoryPage, type Urls } from '../http/urls.ts';
import type { CheckAnnotation, CheckRun, CheckSuite, CommitStatus } from '../state/check-model.ts';
import { toTimestamp } from '../state/create-state.ts';
import type { Repository } from '../state/model.ts';
import { nodeId } from '../state/node-id.ts';
import type { Vendor } from '../vendor.ts';
import { showApp } from './app-view.ts';
import { showMinimalPull } from './pull-view.ts';
import { showRepository } from './repository-view.ts';
import { showUser } from './user-view.ts';

/** Where, and at which time, something is looked at. */
export interface CheckSeen {
  readonly repository: Repository;
  readonly urls: Urls;
  readonly now: number;
}

/** A check run as it stands now. */
export function showCheckRun(run: CheckRun, seen: CheckSeen): Vendor['check-run'] {
  const { repository, urls, now } = seen;
  const { status, conclusion, startedAt, completedAt, output, annotations } = phaseOf(run, now);
  const url = `${repositoryApi(urls, repository)}/check-runs/${run.id}`;
  const { commit, app } = run.suite;
  const page = run.job ? jobPage(run, seen) : `${repositoryPage(urls, repository)}/runs/${run.id}`;
  return {
    id: run.id,
    name: run.name,
    node_id: nodeId('CheckRun', run.id),
    head_sha: commit.sha,
    external_id: run.externalId,
    url,
    html_url: page,
    details_url: run.detailsUrl ?? page,
    status,
    conclusion,
    started_at: startedAt === null ? null : toTimestamp(startedAt),
    completed_at: completedAt === null ? null : toTimestamp(completedAt),
    output: { ...output, annotations_count: annotations.length, annotations_url: `${url}/annotations` },
    check_suite: { id: run.suite.id },
    app: showApp(app, urls),
    pull_requests: pullsAt(repository, commit.sha).map((thread) => showMinimalPull(thread, urls)),
  };
}

/** Page of a job. */
export function jobPage({ id, job }: CheckRun, { repository, urls }: CheckSeen): string {
  return `${repositoryPage(urls, repository)}/actions/runs/${job?.workflow.id}/job/${id}`;
}

/** The checks of an app on a commit. */
export function showCheckSuite(suite: CheckSuite, seen: CheckSeen): Vendor['check-suite'] {
  const { repository, urls, now } = seen;
  const { status, conclusion, updatedAt } = summarizeSuite(repository.checks, suite, now);
  const url = `${repositoryApi(urls, repository)}/check-suites/${suite.id}`;
  const runs = [...repository.checks.runs.values()].filter((run) => run.suite === suite);
  return {
    id: suite.id,
    node_id: nodeId('CheckSuite', suite.id),
    head_branch: suite.branch,
    head_sha: suite.commit.sha,
    status,
    conclusion,
    url,
    before: suite.commit.parents[0] ?? null,
    after: suite.commit.sha,
    pull_requests: pullsAt(repository, suite.commit.sha).map((thread) => showMinimalPull(thread, urls)),
    app: showApp(suite.app, urls),
    created_at: toTimestamp(suite.createdAt),
    updated_at: toTimestamp(updatedAt),
    rerequestable: true,
    runs_rerequestable: true,
    latest_check_runs_count: latestRuns(runs).length,
    check_runs_url: `${url}/check-runs`,
    head_commit: showSimpleCommit(suite),
    repository: showMinimalRepository(seen),
  };
}

/** A repository beside its checks. */
export function showMinimalRepository({ repository, urls }: CheckSeen): Vendor['minimal-repository'] {
  return showRepository(repository, { urls, viewer: null }) as Vendor['minimal-repository'];
}

/** The commit of a suite, in short. */
export function showSimpleCommit({ commit }: CheckSuite): Vendor['simple-commit'] {
  const { sha, tree, message, author, committer } = commit;
  return {
    id: sha,
    tree_id: tree,
    message,
    timestamp: committer.date,
    author: { name: author.name, email: author.email },
    committer: { name: committer.name, email: committer.email },
  };
}

/** A remark about lines of a file. */
export function showAnnotation(
  annotation: CheckAnnotation,
  { repository, urls, suite }: CheckSeen & Pick<CheckRun, 'suite'>,
): Vendor['check-annotation'] {
  const page = `${repositoryPage(urls, repository)}/blob/${suite.commit.sha}/${annotation.path}`;
  return {
    path: annotation.path,
    start_line: annotation.startLine,
    end_line: annotation.endLine,
    start_column: annotation.startColumn,
    end_column: annotation.endColumn,
    annotation_level: annotation.level,
    title: annotation.title,
    message: annotation.message,
    raw_details: annotation.rawDetails,
    blob_href: page,
  };
}

/** A status of a commit, without its author. */
export function showSimpleStatus(
  status: CommitStatus,
  { repository, urls }: CheckSeen,
): Vendor['simple-commit-status'] {
  const time = toTimestamp(status.at);
  return {
    url: `${repositoryApi(urls, repository)}/statuses/${status.sha}`,
    avatar_url: `${urls.web}/avatars/u/${status.creator.id}?v=4`,
    id: status.id,
    node_id: nodeId('StatusContext', status.id),
    state: status.state,
    description: status.description,
    target_url: status.targetUrl,
    context: status.context,
    created_at: time,
    updated_at: time,
  };
}

/** A status of a commit. */
export function showStatus(status: CommitStatus, seen: CheckSeen) {
  return { ...showSimpleStatus(status, seen), creator: showUser(status.creator, seen.urls) };
}
