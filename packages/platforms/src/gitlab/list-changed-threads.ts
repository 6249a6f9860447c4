import { Issues, MergeRequests } from '@gitbeaker/rest';
import type { CallOptions } from '../ports.ts';
import { toThreadName } from '../task-key.ts';
import type { ThreadKind } from './convert.ts';
import type { BoundConnection, GitLabAnswer, GitLabClient } from './gitlab-client.ts';
import { type GitLabIssue, issueSchema } from './gitlab-schemas.ts';
import type { PageQuery } from './next-query.ts';

/** Parts that asking for a project's threads needs. */
export interface ChangesContext {
  readonly client: GitLabClient;
  readonly projectId: number;
  /** For messages. */
  readonly project: string;
}

/** A thread and when it last changed. */
export interface ChangedThread {
  /** See `toThreadName`. */
  readonly name: string;
  readonly updatedAt: string;
}

const listedSchema = issueSchema.omit({ description: true });
type Listed = Omit<GitLabIssue, 'description'>;

/**
 * Issues or merge requests that changed since, oldest change first. The next page begins with the time that the last
 * one ended with: a thread that changes meanwhile goes to the end, and page numbers would skip another for it.
 */
export async function listChangedThreads(
  context: ChangesContext,
  { kind, since, signal }: { readonly kind: ThreadKind; readonly since: string | null } & CallOptions,
): Promise<ChangedThread[]> {
  const changed = new Map<string, ChangedThread>();
  let after = since;
  for (let page: PageQuery | undefined, more = true; more; ) {
    const answer = await ask(context, { kind, after, sort: 'asc', page, signal });
    for (const item of answer.data) changed.set(String(item.id), toChangedThread(item, kind));
    const end = answer.data.at(-1)?.updated_at ?? null;
    more = answer.next !== null;
    const isLater = end !== null && (after === null || Date.parse(end) > Date.parse(after));
    page = isLater ? undefined : (answer.next ?? undefined);
    if (isLater) after = end;
  }
  return [...changed.values()];
}

/** The one that changed last; empty where there is none. */
export async function findChangedLast(
  context: ChangesContext,
  { kind, signal }: { readonly kind: ThreadKind } & CallOptions,
): Promise<ChangedThread[]> {
  const page = { page: 1, perPage: 1 };
  const { data } = await ask(context, { kind, after: null, sort: 'desc', page, signal });
  return data.slice(0, 1).map((item) => toChangedThread(item, kind));
}

interface Question extends CallOptions {
  readonly kind: ThreadKind;
  readonly after: string | null;
  readonly sort: 'asc' | 'desc';
  readonly page: PageQuery | undefined;
}

function ask(context: ChangesContext, question: Question): Promise<GitLabAnswer<Listed[]>> {
  const { kind, page, signal } = question;
  const call = {
    doing: `list what changed in ${context.project}`,
    repository: context.project,
    permission: 'scope api',
    route: `GET /projects/{id}/${kind}`,
    send: (bound: BoundConnection, query: PageQuery) => send(bound, { ...context, ...question, query }),
    impatient: true,
    signal,
  };
  return context.client.askPage(page === undefined ? call : { ...call, page }, listedSchema);
}

function send(
  bound: BoundConnection,
  { kind, projectId, after, sort, query }: ChangesContext & Question & { readonly query: PageQuery },
): Promise<unknown> {
  const since = after === null ? {} : { updatedAfter: after };
  const options = { projectId, scope: 'all', orderBy: 'updated_at', sort, ...since, ...query } as const;
  return kind === 'issues' ? new Issues(bound).all(options) : new MergeRequests(bound).all(options);
}

function toChangedThread(
  { project_id, iid, updated_at: updatedAt }: Pick<Listed, 'project_id' | 'iid' | 'updated_at'>,
  kind: ThreadKind,
): ChangedThread {
  const projectId = String(project_id);
  const name =
    kind === 'issues'
      ? toThreadName({ type: 'gitlab_issue', projectId, issueIid: iid })
      : toThreadName({ type: 'gitlab_merge_request', projectId, mrIid: iid });
  return { name, updatedAt };
}
