import type { MessageRecord } from './message-record.ts';
import { compareSnowflakes } from './snowflake.ts';

/** A page of messages; `before`, `after` and `around` exclude each other, the first given counts. */
export interface PageRequest {
  readonly limit: number;
  readonly around?: string | null;
  readonly before?: string | null;
  readonly after?: string | null;
}

/** The messages of a channel. Pages of a long one cost no more than pages of a short one. */
export interface MessageLog {
  readonly add: (message: MessageRecord) => void;
  readonly get: (id: string) => MessageRecord | undefined;
  readonly remove: (id: string) => void;
  /** Newest first, as Discord answers. */
  readonly page: (request: PageRequest) => readonly MessageRecord[];
  /** Oldest first; the last so many, or all. */
  readonly last: (count?: number) => readonly MessageRecord[];
  readonly newestId: () => string | null;
}

export function createMessageLog(): MessageLog {
  const inOrder: MessageRecord[] = [];
  const byId = new Map<string, MessageRecord>();
  return {
    add: (message) => {
      inOrder.push(message);
      byId.set(message.id, message);
    },
    get: (id) => byId.get(id),
    remove: (id) => {
      if (byId.delete(id)) inOrder.splice(findFirstFrom(inOrder, id), 1);
    },
    page: (request) => inOrder.slice(...findRange(inOrder, request)).reverse(),
    last: (count = inOrder.length) => inOrder.slice(Math.max(0, inOrder.length - count)),
    newestId: () => inOrder.at(-1)?.id ?? null,
  };
}

function findRange(
  inOrder: readonly MessageRecord[],
  { limit, around, before, after }: PageRequest,
): [start: number, end: number] {
  if (around) {
    const start = Math.max(0, findFirstFrom(inOrder, around) - Math.floor(limit / 2));
    return [start, start + limit];
  }
  if (after) {
    const found = findFirstFrom(inOrder, after);
    const start = inOrder[found]?.id === after ? found + 1 : found;
    return [start, start + limit];
  }
  const end = before ? findFirstFrom(inOrder, before) : inOrder.length;
  return [Math.max(0, end - limit), end];
}

/** Finds the index of the first message that has this id or a later one. */
function findFirstFrom(inOrder: readonly MessageRecord[], id: string): number {
  let low = 0;
  let high = inOrder.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const { id: found = '' } = inOrder[middle] ?? {};
    if (compareSnowflakes(found, id) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
