import { minuteBefore } from '../listings/comment-listing.ts';
import type { CallOptions, RepositoryChanges } from '../ports.ts';
import { toThreadName } from '../task-key.ts';
import { type GitLabIssue, issueSchema, type ThreadKind } from './gitlab-answers.ts';
import type { BoundConnection, GitLabAnswer, GitLabClient, PageQuery } from './gitlab-client.ts';
import type { GitLabSettings } from './gitlab-options.ts';

/**
 * A note moves its thread's time only when that is more than a minute old. For so long after a move was seen, in
 * milliseconds, further notes may have left it where it is; what is over the minute is for clocks that differ.
 */
const silentMs = 75_000;

interface Move {
  readonly updatedAt: string;
  readonly seenAt: number;
  /** A poll after the silence has called everything that came within it. */
  readonly isSettled: boolean;
}

/**
 * Which threads of a project changed: one list of its issues and one of its merge requests, as a bell. GitLab has no
 * list of a project's notes, so whoever hears the bell lists those of the thread.
 *
 * @see https://docs.gitlab.com/api/issues/#list-project-issues
 */
export function createGitLabRepositoryChanges(
  context: ChangesContext,
  { now }: Pick<GitLabSettings, 'now'>,
): RepositoryChanges {
  let since: string | null = null;
  let hasBegun = false;
  let moves: ReadonlyMap<string, Move> = new Map();
  return {
    listChanges: async ({ signal } = {}) => {
      const beganAt = now();
      const threads = await listBoth((kind) =>
        hasBegun
          ? listChangedThreads(context, { kind, since, signal })
          : findChangedLast(context, { kind, signal }),
      );
      const isFirst = !hasBegun;
      const called = isFirst
        ? []
        : threads.filter(({ name, updatedAt }) => isNews(moves.get(name), updatedAt));
      moves = new Map(threads.map((thread) => [thread.name, toMove(thread, { moves, beganAt })]));
      since = minuteBefore(threads.map(({ updatedAt }) => updatedAt)) ?? since;
      hasBegun = true;
      const changes = called.map(({ name }) => ({ thread: name, comment: null }));
      return { changes, since: null, unchanged: !isFirst && changes.length === 0 };
    },
  };
}

async function listBoth(
  list: (kind: 'issues' | 'merge_requests') => Promise<ChangedThread[]>,
): Promise<ChangedThread[]> {
  return [...(await list('issues')), ...(await list('merge_requests'))];
}

function isNews(known: Move | undefined, updatedAt: string): boolean {
  return known?.updatedAt !== updatedAt || !known.isSettled;
}

function toMove(
  { name, updatedAt }: ChangedThread,
  { moves, beganAt }: { readonly moves: ReadonlyMap<string, Move> } & { readonly beganAt: number },
): Move {
  const known = moves.get(name);
  if (known?.updatedAt !== updatedAt) return { updatedAt, seenAt: beganAt, isSettled: false };
  return { ...known, isSettled: beganAt - known.seenAt >= silentMs };
}

/** Parts that asking for a project's threads needs. */
interface ChangesContext {
  readonly client: GitLabClient;
  readonly projectId: number;
  /** For messages. */
  readonly project: string;
}

/** A thread and when it last changed. */
interface ChangedThread {
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
async function listChangedThreads(
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
async function findChangedLast(
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
  return kind === 'issues'
    ? new bound.gitbeaker.Issues(bound).all(options)
    : new bound.gitbeaker.MergeRequests(bound).all(options);
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
