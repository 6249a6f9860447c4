import { PlatformError } from '../platform-error.ts';
import type { ReactionWriter } from '../ports.ts';
import { accountOf, findThread, type MemoryState, type MemoryThread } from './memory-state.ts';
import type { MemoryThreadContext } from './memory-thread-ports.ts';

/** Reactions to the comments of the thread, in the words of their meanings. */
export function createMemoryReactions({ state, key, call }: MemoryThreadContext): ReactionWriter {
  return {
    ensureReaction: ({ commentId, meaning, signal }) =>
      call('ensureReaction', {
        signal,
        answer: () => {
          const reaction = { author: state.agent.login, name: meaning };
          addReaction(state, findThread(state, key), { commentId, ...reaction });
        },
      }),
  };
}

/**
 * Reacts as this login, once with each name. The comment's `updatedAt` stays; the listing is another, because it
 * would show the reaction.
 *
 * @throws PlatformError `not-found` for a comment that is not there
 */
export function addReaction(
  state: MemoryState,
  thread: MemoryThread,
  { commentId, author, name }: { readonly commentId: string; readonly author: string; readonly name: string },
): void {
  if (!thread.comments.some(({ id }) => id === commentId)) {
    throw new PlatformError(`There is no comment ${commentId} on this thread.`, { code: 'not-found' });
  }
  const { login } = accountOf(state, author);
  const given = thread.reactions.get(commentId) ?? [];
  if (given.some((one) => one.author === login && one.name === name)) return;
  thread.reactions.set(commentId, [...given, { author: login, name }]);
  thread.commentsVersion += 1;
}
