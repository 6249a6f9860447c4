import type { Account, ChangeRequest, Comment, Thread } from '../model.ts';
import type { TaskSummary } from '../ports.ts';
import type { GitLabTaskKey, GitLabThreadContext } from './gitlab-context.ts';
import type { GitLabIssue, GitLabMergeRequest, GitLabNote, GitLabUser } from './gitlab-schemas.ts';

/** Accounts of access tokens and service accounts are named so; only some answers say `bot`. */
const botName = /^(?:(?:project|group)_\d+_bot(?:_|\d|$)|service_account_)/u;

/** An account; null when there is none. */
export function toAccount(user: GitLabUser | null | undefined): Account | null {
  if (user == null) return null;
  const isBot = user.bot === true || botName.test(user.username);
  return { id: String(user.id), login: user.username, kind: isBot ? 'bot' : 'person' };
}

/** Facts of a thread that are known without asking. */
type Anchor = Pick<GitLabThreadContext, 'findUrl'>;

/** Notes that people wrote; GitLab's own notes of events are left out. */
export function toComments(thread: Anchor, notes: readonly GitLabNote[]): Comment[] {
  return notes.filter(({ system }) => system !== true).map((note) => toComment(thread, note));
}

/** A note; a missing body is an empty text. */
export function toComment(thread: Anchor, note: GitLabNote): Comment {
  const threadUrl = thread.findUrl();
  return {
    id: String(note.id),
    author: toAccount(note.author),
    body: note.body ?? '',
    createdAt: note.created_at,
    updatedAt: note.updated_at ?? null,
    url: threadUrl === null ? null : `${threadUrl}#note_${note.id}`,
    visibility: (note.internal ?? note.confidential ?? false) ? 'internal' : 'public',
  };
}

/** A thread under the key that it was asked for by. */
export function toThread(
  issue: GitLabIssue,
  options: { readonly key: GitLabTaskKey; readonly changeRequest: ChangeRequest | null },
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
