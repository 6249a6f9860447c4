import type { RepositoryListing } from '../model.ts';
import type { RepositoryChanges } from '../ports.ts';
import { toThreadName } from '../task-key.ts';
import { findRepository } from './memory-state.ts';
import type { MemoryThreadContext } from './memory-thread-ports.ts';

/** Before anything that memory holds. */
const beginning = '1970-01-01T00:00:00Z';

/** Comments of all threads of one repository, all of them whenever something changed. */
export function createMemoryRepositoryChanges({
  state,
  key,
  call,
}: Omit<MemoryThreadContext, 'locale'>): RepositoryChanges {
  let seen: number | null = null;
  const answer = (): RepositoryListing => {
    const { threads } = findRepository(state, `${key.owner}/${key.repo}`);
    const version = threads.reduce((sum, { commentsVersion }) => sum + commentsVersion, 0);
    if (seen === version) return { changes: [], since: beginning, unchanged: true };
    const isFirst = seen === null;
    seen = version;
    if (isFirst) return { changes: [], since: null, unchanged: false };
    const changes = threads.flatMap((thread) =>
      thread.comments.map((comment) => ({ thread: toThreadName(thread.key), comment })),
    );
    return { changes, since: beginning, unchanged: false };
  };
  return {
    listChanges: (options = {}) =>
      call('listChanges', { ...options, isUnchanged: ({ unchanged }) => unchanged, answer }),
  };
}
