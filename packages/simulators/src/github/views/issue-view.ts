import { issueApi, pullApi, repositoryApi, threadPage, type Urls } from '../http/urls.ts';
import { associationOf } from '../state/access.ts';
import type { Pull, Thread } from '../state/model.ts';
import { nodeId } from '../state/node-id.ts';
import type { Vendor } from '../vendor.ts';
import { showLabel } from './label-view.ts';
import { showReactions } from './reaction-view.ts';
import { showAuthor, showUser } from './user-view.ts';

/** An issue, or a pull request as the issues' addresses show it: with the key `pull_request`. */
export function showIssue(thread: Thread, urls: Urls) {
  const api = issueApi(urls, thread);
  const assignees = [...thread.assignees.values()].map((user) => showUser(user, urls));
  return {
    url: api,
    repository_url: repositoryApi(urls, thread.repository),
    labels_url: `${api}/labels{/name}`,
    comments_url: `${api}/comments`,
    events_url: `${api}/events`,
    html_url: threadPage(urls, thread),
    id: thread.id,
    node_id: nodeId('Issue', thread.id),
    number: thread.number,
    title: thread.title,
    user: showAuthor(thread.author, urls),
    labels: [...thread.labels.values()].map((label) => showLabel(thread.repository, label, urls)),
    state: thread.state,
    locked: thread.locked,
    assignee: assignees[0] ?? null,
    assignees,
    milestone: null,
    comments: thread.comments.size,
    created_at: thread.createdAt,
    updated_at: thread.updatedAt,
    closed_at: thread.closedAt,
    author_association: associationOf(thread.repository, thread.author),
    active_lock_reason: null,
    body: thread.body,
    reactions: showReactions(thread.reactions, `${api}/reactions`),
    timeline_url: `${api}/timeline`,
    performed_via_github_app: null,
    state_reason: thread.stateReason,
    // https://docs.github.com/en/rest/issues/sub-issues#get-parent-issue
    parent_issue_url: thread.parent && issueApi(urls, thread.parent),
    ...(thread.pull
      ? { draft: thread.pull.draft, pull_request: showPullLinks(thread, thread.pull, urls) }
      : {}),
  } satisfies Vendor['issue'];
}

/** An issue asked for by its own address, which says also who closed it. */
export function showSingleIssue(thread: Thread, urls: Urls): Vendor['issue'] {
  return { ...showIssue(thread, urls), closed_by: thread.closedBy && showAuthor(thread.closedBy, urls) };
}

/** An issue among search results. */
export function showFoundIssue(thread: Thread, urls: Urls): Vendor['issue-search-result-item'] {
  const { body, ...issue } = showIssue(thread, urls);
  // The published schema forgets that a body may be null.
  return { ...issue, body: body as string, score: 1 };
}

function showPullLinks(thread: Thread, pull: Pull, urls: Urls) {
  const page = threadPage(urls, thread);
  return {
    url: pullApi(urls, thread),
    html_url: page,
    diff_url: `${page}.diff`,
    patch_url: `${page}.patch`,
    merged_at: pull.mergedAt,
  };
}
