import { isGitLabBot } from '@agent/text';
import * as z from 'zod';
import type { Account, ChangeRequest, Comment, Thread } from '../model.ts';
import type { TaskSummary } from '../ports.ts';
import type { GitLabIssueKey, GitLabMergeRequestKey } from '../task-key.ts';

/** An account; GitLab calls its login `username`. What this package reads of an answer are the fewest fields. */
export const userSchema = z.object({
  id: z.number(),
  username: z.string(),
  bot: z.boolean().nullish(),
});

/** A time in ISO 8601. */
export const time = z.string().refine((text) => !Number.isNaN(Date.parse(text)), 'is not a time');

/** Numbers of one line: an added one has no old number, a removed one no new one. */
const pointSchema = z.object({ old_line: z.number().nullish(), new_line: z.number().nullish() });

/** Place of a note in a diff; notes on whole files and on images have no line. */
const positionSchema = pointSchema.extend({
  base_sha: z.string().nullish(),
  start_sha: z.string().nullish(),
  head_sha: z.string().nullish(),
  old_path: z.string().nullish(),
  new_path: z.string().nullish(),
  line_range: z.object({ start: pointSchema.nullish() }).nullish(),
});

/** A note of an issue or merge request. */
export const noteSchema = z.object({
  id: z.number(),
  body: z.string().nullish(),
  author: userSchema.nullish(),
  created_at: time,
  updated_at: time.nullish(),
  /** GitLab's own note of an event. */
  system: z.boolean().nullish(),
  /** `DiffNote` on lines of a diff. */
  type: z.string().nullish(),
  position: positionSchema.nullish(),
  resolvable: z.boolean().nullish(),
  resolved: z.boolean().nullish(),
  internal: z.boolean().nullish(),
  /** Name of `internal` before 15.5. */
  confidential: z.boolean().nullish(),
});

/** An issue, or what a merge request has in common with one. */
export const issueSchema = z.object({
  id: z.number(),
  iid: z.number(),
  project_id: z.number(),
  title: z.string(),
  description: z.string().nullish(),
  state: z.string(),
  author: userSchema.nullish(),
  labels: z.array(z.string()).nullish(),
  assignees: z.array(userSchema).nullish(),
  user_notes_count: z.number().nullish(),
  confidential: z.boolean().nullish(),
  created_at: time,
  updated_at: time,
  web_url: z.string(),
});

/** A merge request; its number is its `iid`. */
export const mergeRequestSchema = issueSchema.extend({
  draft: z.boolean().nullish(),
  /** Name of `draft` before 14.0. */
  work_in_progress: z.boolean().nullish(),
  source_branch: z.string(),
  target_branch: z.string(),
  /** Null when the fork was deleted. */
  source_project_id: z.number().nullish(),
  sha: z.string().nullish(),
  has_conflicts: z.boolean().nullish(),
  /** Auto-merge, of which a merge train is one kind. @see https://docs.gitlab.com/api/merge_trains/#add-a-merge-request-to-a-merge-train */
  merge_when_pipeline_succeeds: z.boolean().nullish(),
  merge_status: z.string().nullish(),
  reviewers: z.array(z.object({ id: z.number() })).nullish(),
});

/** A project, as far as a run needs it. */
const accessSchema = z.object({ access_level: z.number() }).nullish();

export const projectSchema = z.object({
  id: z.number(),
  path_with_namespace: z.string(),
  default_branch: z.string().nullish(),
  empty_repo: z.boolean().nullish(),
  http_url_to_repo: z.string().nullish(),
  visibility: z.string().nullish(),
  web_url: z.string(),
  only_allow_merge_if_pipeline_succeeds: z.boolean().nullish(),
  /** Access as a member of the project and of its group; both null without a membership. */
  permissions: z.object({ project_access: accessSchema, group_access: accessSchema }).nullish(),
});

/** A project as a list of its group shows it. */
export const listedProjectSchema = z.object({
  id: z.number(),
  path_with_namespace: z.string(),
  archived: z.boolean().nullish(),
  forked_from_project: z.object({}).nullish(),
  marked_for_deletion_at: z.string().nullish(),
  marked_for_deletion_on: z.string().nullish(),
});

/** A file or directory of a tree. */
export const treeEntrySchema = z.object({ path: z.string(), type: z.string() });

/** A file with its content. */
export const fileSchema = z.object({ content: z.string(), encoding: z.string() });

/** A branch and its newest commit. */
export const branchSchema = z.object({
  name: z.string(),
  commit: z.object({ id: z.string() }),
  protected: z.boolean().nullish(),
});

/** A label of a project or of the groups above it. */
export const labelSchema = z.object({ name: z.string() });

/** A label that was put on a thread, or taken away; without the label once that was deleted. */
export const labelEventSchema = z.object({
  id: z.number(),
  user: userSchema.nullish(),
  created_at: time,
  action: z.string(),
  label: labelSchema.nullish(),
});

export const stateEventSchema = z.object({
  id: z.number(),
  user: userSchema.nullish(),
  created_at: time,
  state: z.string(),
});

/** Version of what a merge request proposes. */
export const versionSchema = z.object({ id: z.number(), created_at: time });

/** A member, and the level of access. */
export const memberSchema = z.object({
  id: z.number(),
  access_level: z.number(),
  state: z.string().nullish(),
});

export type GitLabUser = z.output<typeof userSchema>;

export type GitLabNote = z.output<typeof noteSchema>;

export type GitLabIssue = z.output<typeof issueSchema>;

export type GitLabMergeRequest = z.output<typeof mergeRequestSchema>;

export type GitLabProject = z.output<typeof projectSchema>;

/** An account; null when there is none. */
export function toAccount(user: GitLabUser | null | undefined): Account | null {
  if (user == null) return null;
  return { id: String(user.id), login: user.username, kind: isGitLabBot(user) ? 'bot' : 'person' };
}

/** A note; a missing body is an empty text. `threadUrl`: the page of its thread. */
export function toComment(note: GitLabNote, threadUrl: string): Comment {
  return {
    id: String(note.id),
    author: toAccount(note.author),
    body: note.body ?? '',
    createdAt: note.created_at,
    updatedAt: note.updated_at ?? null,
    url: `${threadUrl}#note_${note.id}`,
    visibility: (note.internal ?? note.confidential ?? false) ? 'internal' : 'public',
    subject: null,
  };
}

/** A thread under the key that it was asked for by. */
export function toThread(
  issue: GitLabIssue,
  options: {
    readonly key: GitLabIssueKey | GitLabMergeRequestKey;
    readonly changeRequest: ChangeRequest | null;
  },
): Thread {
  return {
    key: options.key,
    id: String(issue.id),
    number: issue.iid,
    title: issue.title,
    body: issue.description ?? '',
    author: toAccount(issue.author),
    labels: issue.labels ?? [],
    assignees: (issue.assignees ?? []).map(toAccount).filter((account) => account !== null),
    state: issue.state === 'opened' ? 'open' : 'closed',
    commentCount: issue.user_notes_count ?? 0,
    createdAt: issue.created_at,
    updatedAt: issue.updated_at,
    url: issue.web_url,
    confidential: issue.confidential ?? false,
    changeRequest: options.changeRequest,
  };
}

/** The two lists that a project's threads come in. */
export type ThreadKind = 'issues' | 'merge_requests';

/** The key has the project's id, which stays when the project is renamed or moved. */
export function toTaskSummary(issue: GitLabIssue, kind: ThreadKind): TaskSummary {
  const projectId = String(issue.project_id);
  return {
    key:
      kind === 'issues'
        ? { type: 'gitlab_issue', projectId, issueIid: issue.iid }
        : { type: 'gitlab_merge_request', projectId, mrIid: issue.iid },
    number: issue.iid,
    title: issue.title,
    labels: issue.labels ?? [],
    author: toAccount(issue.author),
    url: issue.web_url,
    updatedAt: issue.updated_at,
  };
}

/** A merge request; its title without the mark that makes it a draft. */
export function toChangeRequest(mergeRequest: GitLabMergeRequest): ChangeRequest {
  const { iid, web_url: url, state } = mergeRequest;
  const draft = isDraft(mergeRequest);
  return {
    number: iid,
    url,
    state: state === 'merged' ? 'merged' : state === 'opened' ? 'open' : 'closed',
    draft,
    title: draft ? withoutDraftMark(mergeRequest.title) : mergeRequest.title,
    headBranch: mergeRequest.source_branch,
    headSha: mergeRequest.sha ?? '',
    baseBranch: mergeRequest.target_branch,
    fromFork: mergeRequest.source_project_id !== mergeRequest.project_id,
    ...toConflicts(mergeRequest),
    mergeQueued: mergeRequest.merge_when_pipeline_succeeds ?? false,
  };
}

/** GitLab finds out in the background, and shows what it knew before meanwhile. @see https://docs.gitlab.com/api/merge_requests/#merge-status */
function toConflicts({ has_conflicts: conflicts, merge_status: status }: GitLabMergeRequest) {
  if (conflicts == null) return {};
  return {
    conflicts: /^(?:unchecked|checking|cannot_be_merged_rech)/u.test(status ?? '') ? null : conflicts,
  };
}

/** Tells whether GitLab takes it for unfinished. */
function isDraft({ draft, work_in_progress: old }: GitLabMergeRequest): boolean {
  return draft ?? old ?? false;
}

/** @see https://docs.gitlab.com/user/project/merge_requests/drafts/ */
function withoutDraftMark(title: string): string {
  return title.replace(/^\s*(?:(?:\[draft\]|\(draft\)|draft:|\[wip\]|wip:)\s*)+/iu, '');
}
