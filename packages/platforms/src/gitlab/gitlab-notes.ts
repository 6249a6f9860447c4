import { IssueNotes, MergeRequestNotes, type ResourceNotes } from '@gitbeaker/rest';
import type { CallOptions } from '../ports.ts';
import type { BoundConnection, GitLabCall } from './gitlab-client.ts';
import { type GitLabThreadContext, toThreadRoute } from './gitlab-context.ts';

/** A call to the notes of the thread, without what is sent. */
export function toNoteCall(
  context: GitLabThreadContext,
  {
    doing,
    method,
    signal,
  }: { readonly doing: string; readonly method: 'GET' | 'POST' | 'PUT' } & CallOptions,
): Omit<GitLabCall, 'send'> {
  const one = method === 'PUT' ? '/{note_id}' : '';
  return {
    doing: `${doing} ${context.name}`,
    repository: context.project,
    permission: 'scope api',
    route: `${method} ${toThreadRoute(context)}/notes${one}`,
    signal,
  };
}

/** gitbeaker's resource for the notes of this kind of thread. */
export function notesOf({ key }: GitLabThreadContext, bound: BoundConnection): ResourceNotes {
  return key.type === 'gitlab_issue' ? new IssueNotes(bound) : new MergeRequestNotes(bound);
}
