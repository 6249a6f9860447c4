import { issueApi, pullApi, repositoryApi, threadPage, type Urls } from '../http/urls.ts';
import { listAllReviewComments } from '../reviews/comment-lines.ts';
import { associationOf } from '../state/access.ts';
import type { Pull, Repository, Thread, User } from '../state/model.ts';
import { nodeId } from '../state/node-id.ts';
import type { Vendor } from '../vendor.ts';
import { showLabel } from './label-view.ts';
import { type Seen, showRepository } from './repository-view.ts';
import { showAuthor, showUser } from './user-view.ts';

/** Git's facts of a pull request. */
export interface PullFacts {
  readonly mergeable: boolean | null;
  readonly mergeableState: string;
  readonly commits: number;
  readonly additions: number;
  readonly deletions: number;
  readonly changedFiles: number;
}

/** A pull request beside what belongs to it. */
export function showMinimalPull(thread: Thread, urls: Urls): Vendor['pull-request-minimal'] {
  const { pull, repository } = thread;
  if (!pull) throw new Error(`#${thread.number} is no pull request.`);
  const repo = { id: repository.id, url: repositoryApi(urls, repository), name: repository.name };
  return {
    id: pull.id,
    number: thread.number,
    url: pullApi(urls, thread),
    head: { ref: pull.headBranch, sha: pull.headSha, repo },
    base: { ref: pull.baseBranch, sha: pull.baseSha, repo },
  };
}

/** A pull request in a list. */
export function showPull(thread: Thread, pull: Pull, seen: Seen): Vendor['pull-request-simple'] {
  const { labels, ...rest } = describePull(thread, pull, seen);
  // The published schema forgets that a label's description may be null.
  return { ...rest, labels: labels as Vendor['pull-request-simple']['labels'] };
}

function describePull(thread: Thread, pull: Pull, seen: Seen) {
  const { urls } = seen;
  const { repository } = thread;
  const page = threadPage(urls, thread);
  const assignees = [...thread.assignees.values()].map((user) => showUser(user, urls));
  return {
    ...showPullAddresses(thread, pull, seen),
    id: pull.id,
    node_id: nodeId('PullRequest', pull.id),
    html_url: page,
    diff_url: `${page}.diff`,
    patch_url: `${page}.patch`,
    number: thread.number,
    state: thread.state,
    locked: thread.locked,
    title: thread.title,
    user: showAuthor(thread.author, urls),
    body: thread.body,
    created_at: thread.createdAt,
    updated_at: thread.updatedAt,
    closed_at: thread.closedAt,
    merged_at: pull.mergedAt,
    merge_commit_sha: pull.mergeCommitSha,
    assignee: assignees[0] ?? null,
    assignees,
    requested_reviewers: [...pull.requestedReviewers].map((user) => showUser(user, urls)),
    requested_teams: [],
    labels: [...thread.labels.values()].map((label) => showLabel(repository, label, urls)),
    milestone: null,
    draft: pull.draft,
    head: showEnd(
      { repository: pull.headRepository, owner: pull.headOwner, ref: pull.headBranch, sha: pull.headSha },
      seen,
    ),
    base: showEnd({ repository, owner: repository.owner, ref: pull.baseBranch, sha: pull.baseSha }, seen),
    author_association: associationOf(repository, thread.author),
    auto_merge: null,
    active_lock_reason: null,
  };
}

/** A pull request asked for by its own address. */
export function showSinglePull(
  thread: Thread,
  pull: Pull,
  options: { readonly seen: Seen; readonly facts: PullFacts },
): Vendor['pull-request'] {
  const { seen, facts } = options;
  const { user, ...rest } = describePull(thread, pull, seen);
  const { mergeable, mergeableState, changedFiles, ...counts } = facts;
  const isOpen = thread.state === 'open';
  return {
    ...rest,
    // The published schema forgets that an author may have been deleted.
    user: user as Vendor['simple-user'],
    merged: pull.mergedAt !== null,
    mergeable: isOpen ? mergeable : null,
    rebaseable: isOpen ? mergeable : null,
    mergeable_state: isOpen ? mergeableState : 'unknown',
    merged_by: pull.mergedBy && showAuthor(pull.mergedBy, seen.urls),
    comments: thread.comments.size,
    review_comments: listAllReviewComments([thread]).length,
    maintainer_can_modify: pull.maintainerCanModify,
    ...counts,
    changed_files: changedFiles,
  };
}

interface End {
  readonly repository: Repository | null;
  readonly owner: User;
  readonly ref: string;
  readonly sha: string;
}

function showEnd(end: End, seen: Seen) {
  return {
    label: `${end.owner.login}:${end.ref}`,
    ref: end.ref,
    sha: end.sha,
    user: showUser(end.owner, seen.urls),
    // Null when the fork was deleted, which the published schema forgets.
    repo: (end.repository && showRepository(end.repository, seen)) as Vendor['repository'],
  };
}

function showPullAddresses(thread: Thread, pull: Pull, { urls }: Seen) {
  const api = pullApi(urls, thread);
  const repository = repositoryApi(urls, thread.repository);
  const addresses = {
    issue_url: issueApi(urls, thread),
    commits_url: `${api}/commits`,
    review_comments_url: `${api}/comments`,
    review_comment_url: `${repository}/pulls/comments{/number}`,
    comments_url: `${issueApi(urls, thread)}/comments`,
    statuses_url: `${repository}/statuses/${pull.headSha}`,
  };
  return {
    url: api,
    ...addresses,
    _links: {
      self: { href: api },
      html: { href: threadPage(urls, thread) },
      issue: { href: addresses.issue_url },
      comments: { href: addresses.comments_url },
      review_comments: { href: addresses.review_comments_url },
      review_comment: { href: addresses.review_comment_url },
      commits: { href: addresses.commits_url },
      statuses: { href: addresses.statuses_url },
    },
  };
}
