import type { ModelMessage } from 'ai';
import { listToolCalls } from './tally.ts';

/**
 * Where a context may be cut so that at least `keep` messages follow and no call stands on one side with its
 * result on the other: goes back until it may be cut. 0 when it may not be cut at all.
 */
export function findCut(messages: readonly ModelMessage[], keep: number): number {
  let reach = -1;
  let cut = 0;
  for (let index = 0; index < messages.length - keep; index += 1) {
    reach = Math.max(reach, findEndOfCalls(messages, index));
    if (reach <= index) cut = index + 1;
  }
  return cut;
}

/** Index of the last message that belongs to the calls of this one; its own when it makes none. */
function findEndOfCalls(messages: readonly ModelMessage[], start: number): number {
  const message = messages[start];
  let open = message === undefined ? 0 : listToolCalls(message).length;
  let end = start;
  for (let index = start + 1; open > 0; index += 1) {
    const next = messages[index];
    // Results that are still to come belong to their calls as well.
    if (next === undefined) return messages.length;
    if (next.role === 'assistant') break;
    if (next.role === 'tool') {
      end = index;
      open -= next.content.length;
    }
  }
  return end;
}
