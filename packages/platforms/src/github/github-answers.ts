import * as z from 'zod';
import type { Account, ChangeRequest, Comment, Thread } from '../model.ts';
import type { TaskSummary } from '../ports.ts';
import type { GitHubTaskKey } from '../task-key.ts';

// What this package reads of GitHub's answers: the fewest fields, everything else ignored.

/** An account. */
export const userSchema = z.object({
  id: z.number(),
  login: z.string(),
  type: z.string().nullish(),
});

const time = z.string().refine((text) => !Number.isNaN(Date.parse(text)), 'is not a time');

/** A comment of the conversation. */
export const commentSchema = z.object({
  id: z.number(),
  body: z.string().nullish(),
  user: userSchema.nullish(),
  created_at: time,
  updated_at: time.nullish(),
  html_url: z.string().nullish(),
  /** Left out by servers that show it in GraphQL only. @see https://docs.github.com/en/rest/issues/comments */
  minimized: z.object({ reason: z.string().nullish() }).nullish(),
});

/** An issue, or a pull request as the issues API shows it. */
export const issueSchema = z.object({
  id: z.number(),
  number: z.number(),
  title: z.string(),
  body: z.string().nullish(),
  state: z.string(),
  user: userSchema.nullish(),
  labels: z.array(z.union([z.string(), z.object({ name: z.string().nullish() })])).nullish(),
  assignees: z.array(userSchema).nullish(),
  comments: z.number().nullish(),
  created_at: time,
  updated_at: time,
  html_url: z.string(),
  repository_url: z.string().nullish(),
  /** @see https://docs.github.com/en/rest/issues/sub-issues#get-parent-issue */
  parent_issue_url: z.string().nullish(),
  pull_request: z.object({}).nullish(),
});

const branchEndSchema = z.object({
  ref: z.string(),
  sha: z.string(),
  repo: z.object({ id: z.number(), full_name: z.string() }).nullish(),
});

/** A pull request as the pulls API shows it. */
export const pullSchema = z.object({
  number: z.number(),
  html_url: z.string(),
  state: z.string(),
  draft: z.boolean().nullish(),
  merged_at: z.string().nullish(),
  title: z.string(),
  body: z.string().nullish(),
  head: branchEndSchema,
  base: branchEndSchema,
  /** Null until it is known; left out in lists. @see https://docs.github.com/en/rest/pulls/pulls#get-a-pull-request */
  mergeable: z.boolean().nullable().optional(),
});

/** A repository. */
export const repositorySchema = z.object({
  id: z.number(),
  full_name: z.string(),
  default_branch: z.string(),
  clone_url: z.string(),
  private: z.boolean(),
});

/** A branch that somebody moved. */
export const activitySchema = z.object({
  after: z.string(),
  timestamp: time,
  actor: userSchema.nullish(),
});

/** A git tree, of one directory or recursive. */
export const treeSchema = z.object({
  tree: z.array(z.object({ path: z.string(), type: z.string(), sha: z.string() })),
  truncated: z.boolean().nullish(),
});

/** One entry of the contents API. */
export const contentSchema = z.object({
  type: z.string(),
  sha: z.string(),
  size: z.number().nullish(),
  encoding: z.string().nullish(),
  content: z.string().nullish(),
});

/** A git blob. */
export const blobSchema = z.object({ content: z.string(), encoding: z.string() });

/** Rights of an account in a repository. */
export const permissionSchema = z.object({ permission: z.string(), user: userSchema.nullish() });

/** A branch, as the git references API shows it. */
export const refSchema = z.object({ ref: z.string(), object: z.object({ sha: z.string() }) });

/** Hits of the issue search. */
export const searchSchema = z.object({ items: z.array(issueSchema.extend({ score: z.number().nullish() })) });

/** See `userSchema`. */
type GitHubUser = z.output<typeof userSchema>;

/** See `commentSchema`. */
export type GitHubComment = z.output<typeof commentSchema>;

/** See `issueSchema`. */
export type GitHubIssue = z.output<typeof issueSchema>;

/** See `pullSchema`. */
export type GitHubPull = z.output<typeof pullSchema>;

/** An account; null when it was deleted. */
export function toAccount(user: GitHubUser): Account;
export function toAccount(user: GitHubUser | null | undefined): Account | null;
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
    subject: null,
  };
}

/**
 * Tells whether a maintainer has hidden a comment as spam, abuse or off-topic. Comments that are hidden as resolved,
 * outdated or duplicate still count. The web page and the API spell reasons in different case.
 *
 * @see https://docs.github.com/en/communities/moderating-comments-and-conversations/managing-disruptive-comments#hiding-a-comment
 * @see https://github.com/orgs/community/discussions/19865
 */
export function isHidden({ minimized }: Pick<GitHubComment, 'minimized'>): boolean {
  return /^(?:spam|abuse|off[-_ ]?topic)$/iu.test(minimized?.reason ?? '');
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
    ...(pull.mergeable === undefined ? {} : { conflicts: pull.mergeable === null ? null : !pull.mergeable }),
  };
}

function toLabels(issue: GitHubIssue): string[] {
  return (issue.labels ?? [])
    .map((label) => (typeof label === 'string' ? label : label.name))
    .filter((name) => typeof name === 'string');
}
