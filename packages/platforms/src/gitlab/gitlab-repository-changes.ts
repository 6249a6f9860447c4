import { minuteBefore } from '../comment-listing.ts';
import type { RepositoryChanges } from '../ports.ts';
import type { GitLabSettings } from './gitlab-options.ts';
import {
  type ChangedThread,
  type ChangesContext,
  findChangedLast,
  listChangedThreads,
} from './list-changed-threads.ts';

/**
 * A note moves its thread's time only when that is more than a minute old. For so long after a move was seen, in
 * milliseconds, further notes may have left it where it is; what is over the minute is for clocks that differ.
 */
const silentMs = 75_000;

interface Move {
  readonly updatedAt: string;
  readonly seenAt: number;
  /** A look after the silence has called everything that came within it. */
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
