import type { RepositoryCall } from '../http/requirements.ts';
import type { Pull, Thread } from '../state/model.ts';
import { choice } from './list-issues.ts';

export interface PullThread {
  readonly thread: Thread;
  readonly pull: Pull;
}

/**
 * The pull requests that a listing asks for, in its order: newest first unless sorted otherwise.
 * @see https://docs.github.com/rest/pulls/pulls#list-pull-requests
 */
export function selectPulls(call: RepositoryCall): readonly PullThread[] {
  const state = choice(call, 'state', ['open', 'closed', 'all']);
  const base = call.query.get('base');
  const isFromHead = headFilter(call.query.get('head'));
  const found = [...call.repository.threads.values()].flatMap((thread) => {
    const { pull } = thread;
    if (!pull || (state !== 'all' && thread.state !== state)) return [];
    if (base && pull.baseBranch !== base) return [];
    return isFromHead(pull) ? [{ thread, pull }] : [];
  });
  return sortPulls(call, found);
}

/** `owner:branch`; a name without owner is ignored, as GitHub does. */
function headFilter(head: string | null): (pull: Pull) => boolean {
  const colon = head?.indexOf(':') ?? -1;
  if (!head || colon < 0) return () => true;
  const owner = head.slice(0, colon).toLowerCase();
  const branch = head.slice(colon + 1);
  return (pull) => pull.headBranch === branch && pull.headOwner.login.toLowerCase() === owner;
}

function sortPulls(call: RepositoryCall, found: PullThread[]): readonly PullThread[] {
  const sort = choice(call, 'sort', ['created', 'updated', 'popularity', 'long-running']);
  const direction =
    sort === 'created'
      ? choice(call, 'direction', ['desc', 'asc'])
      : choice(call, 'direction', ['asc', 'desc']);
  const sign = direction === 'asc' ? 1 : -1;
  const compare = (one: Thread, other: Thread): number => {
    if (sort === 'updated') return one.updatedAt.localeCompare(other.updatedAt);
    return sort === 'popularity' ? one.comments.size - other.comments.size : 0;
  };
  return found.sort(
    ({ thread: one }, { thread: other }) => sign * (compare(one, other) || one.number - other.number),
  );
}
