import { earlierOf, isBefore } from '../listings/comment-listing.ts';
import type { LabelEvent, ThreadEdit } from '../model.ts';
import type { EventOptions, LabelEventReader, ThreadHistory } from '../ports.ts';
import { findThread, type MemoryThread } from './memory-state.ts';
import type { MemoryThreadContext } from './memory-thread-ports.ts';

/** Finds who put a label on the thread last, and what was edited since. */
export function createMemoryLabelEvents({ state, key, call }: MemoryThreadContext): LabelEventReader {
  return {
    lastLabeled: (name, options = {}) =>
      call('lastLabeled', {
        ...options,
        answer: () =>
          toEvent(findThread(state, key), ({ labeled }) => labeled.get(name.toLowerCase()), options),
      }),
  };
}

/** Finds who assigned an account last, and lists what was edited since. */
export function createMemoryHistory({ state, key, call }: MemoryThreadContext): ThreadHistory {
  return {
    lastAssigned: (account, options = {}) =>
      call('lastAssigned', {
        ...options,
        answer: () => toEvent(findThread(state, key), ({ assigned }) => assigned.get(account.id), options),
      }),
    lastReopened: (options = {}) =>
      call('lastReopened', {
        ...options,
        answer: () => toEvent(findThread(state, key), ({ reopened }) => reopened, options),
      }),
    listEdits: ({ since, signal }) =>
      call('listEdits', {
        signal,
        answer: () => listEdits(findThread(state, key).edits, since),
      }),
    lastCommentEdit: (commentId, options = {}) =>
      call('lastCommentEdit', {
        ...options,
        answer: () => findThread(state, key).commentEdits.get(commentId) ?? null,
      }),
  };
}

function toEvent(
  thread: MemoryThread,
  pick: (thread: MemoryThread) => MemoryThread['reopened'] | undefined,
  { since }: EventOptions,
): LabelEvent | null {
  const event = pick(thread);
  return event == null ? null : { ...event, editsSince: listEdits(thread.edits, earlierOf(event.at, since)) };
}

function listEdits(edits: readonly ThreadEdit[], since: string): readonly ThreadEdit[] {
  return edits.filter(({ at }) => !isBefore(at, since));
}
