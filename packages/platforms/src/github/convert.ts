import type { Account, ChangeRequest, Comment, Thread } from '../model.ts';
import type { TaskSummary } from '../ports.ts';
import type { GitHubTaskKey } from '../task-key.ts';
import type { GitHubComment, GitHubIssue, GitHubPull, GitHubUser } from './github-schemas.ts';

/** An account; null when it was deleted. */
export function toAccount(user: GitHubUser | null | undefined): Account | null {
  if (user == null) return null;
  return { id: String(user.id), login: user.login, kind: user.type === 'Bot' ? 'bot' : 'person' };
}

/** A comment; a missing body is an empty text. */
export function toComment(comment: GitHubComment): Comment {
  return {
    id: String(comment.id),
    author: toAccount(comment.user),
    body: comment.body ?? '',
    createdAt: comment.created_at,
    updatedAt: comment.updated_at ?? null,
    url: comment.html_url ?? null,
    visibility: 'public',
  };
}

/** A thread under the key that it was asked for by. */
export function toThread(
  issue: GitHubIssue,
  options: { readonly key: GitHubTaskKey; readonly pull: GitHubPull | null },
): Thread {
  return {
    key: options.key,
    id: String(issue.id),
    number: issue.number,
    title: issue.title,
    body: issue.body ?? '',
    author: toAccount(issue.user),
    labels: toLabels(issue),
    assignees: (issue.assignees ?? []).map(toAccount).filter((account) => account !== null),
    state: issue.state === 'open' ? 'open' : 'closed',
    commentCount: issue.comments ?? 0,
    createdAt: issue.created_at,
    updatedAt: issue.updated_at,
    url: issue.html_url,
    confidential: false,
    changeRequest: options.pull === null ? null : toChangeRequest(options.pull),
  };
}

/** The key has the platform's own spelling of the repository, where the answer shows it. */
export function toTaskSummary(issue: GitHubIssue, repository: string): TaskSummary {
  const shown = /\/repos\/([^/]+)\/([^/]+)$/u.exec(issue.repository_url ?? '');
  const [owner = '', repo = ''] = shown?.slice(1) ?? repository.split('/');
  const type = issue.pull_request == null ? 'github_issue' : 'github_pull_request';
  return {
    key: { type, owner, repo, number: issue.number },
    number: issue.number,
    title: issue.title,
    labels: toLabels(issue),
    author: toAccount(issue.user),
    url: issue.html_url,
    updatedAt: issue.updated_at,
  };
}

/** A pull request, merged told from closed. */
export function toChangeRequest(pull: GitHubPull): ChangeRequest {
  const closed = pull.merged_at == null ? 'closed' : 'merged';
  return {
    number: pull.number,
    url: pull.html_url,
    state: pull.state === 'open' ? 'open' : closed,
    draft: pull.draft ?? false,
    title: pull.title,
    headBranch: pull.head.ref,
    headSha: pull.head.sha,
    baseBranch: pull.base.ref,
    fromFork: pull.head.repo?.id !== pull.base.repo?.id || pull.head.repo == null,
  };
}

function toLabels(issue: GitHubIssue): string[] {
  return (issue.labels ?? [])
    .map((label) => (typeof label === 'string' ? label : label.name))
    .filter((name) => typeof name === 'string');
}
