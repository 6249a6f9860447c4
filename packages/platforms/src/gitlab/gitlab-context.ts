import type { ResourceNotes } from '@gitbeaker/rest';
import type { JoinedQuestions, KnownLabels } from '../http/connection-memory.ts';
import type { CallOptions, Identity } from '../ports.ts';
import type { GitLabIssueKey, GitLabMergeRequestKey } from '../task-key.ts';
import type { GitLabProject } from './gitlab-answers.ts';
import type { BoundConnection, GitLabCall, GitLabClient } from './gitlab-client.ts';
import type { GitLabSettings } from './gitlab-options.ts';

/** The keys of GitLab's two kinds of threads. */
export type GitLabTaskKey = GitLabIssueKey | GitLabMergeRequestKey;

/** Parts that every port of one thread is made of. */
export interface GitLabThreadContext {
  readonly client: GitLabClient;
  readonly settings: GitLabSettings;
  readonly identity: Identity;
  readonly key: GitLabTaskKey;
  readonly projectId: number;
  readonly iid: number;
  /** `group/project` as far as it is known, for messages; else `project 42`. */
  readonly project: string;
  /** `group/project#4` or `group/project!4`, for messages. */
  readonly name: string;
  /** Asks what the project is now. */
  readonly describeProject: (options: CallOptions) => Promise<GitLabProject>;
  /** Finds the page that people open; asks only where nothing was seen of the project yet. */
  readonly findUrl: (options: CallOptions) => Promise<string>;
  /** Labels that the projects are known to have: `42:name`. */
  readonly knownLabels: KnownLabels;
  /** Polls of lists that are parts of one. */
  readonly questions: JoinedQuestions;
}

/** The route of the thread, placeholders unfilled: GitLab has one for issues and one for merge requests. */
export function toThreadRoute({ key }: Pick<GitLabThreadContext, 'key'>): string {
  return key.type === 'gitlab_issue'
    ? '/projects/{id}/issues/{issue_iid}'
    : '/projects/{id}/merge_requests/{merge_request_iid}';
}

/** A call to the notes of the thread, without what is sent. */
export function toNoteCall(
  context: GitLabThreadContext,
  {
    doing,
    method,
    noteId,
    signal,
  }: {
    readonly doing: string;
    readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
    /** Given where one note is read. */
    readonly noteId?: string;
  } & CallOptions,
): Omit<GitLabCall, 'send'> {
  const one = noteId !== undefined || method === 'PUT' || method === 'DELETE' ? '/{note_id}' : '';
  return {
    doing: `${doing} ${context.name}`,
    repository: context.project,
    route: `${method} ${toThreadRoute(context)}/notes${one}`,
    signal,
  };
}

/** gitbeaker's resource for the notes of this kind of thread. */
export function notesOf({ key }: GitLabThreadContext, bound: BoundConnection): ResourceNotes {
  return key.type === 'gitlab_issue'
    ? new bound.gitbeaker.IssueNotes(bound)
    : new bound.gitbeaker.MergeRequestNotes(bound);
}
