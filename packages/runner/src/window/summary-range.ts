import type { ContextItem } from '../model.ts';
import { countCalls, findNewestTrusted, toGroups } from './message-groups.ts';

/** Messages that a summary replaces: from `start`, before `end`. */
export interface SummaryRange {
  readonly start: number;
  readonly end: number;
  readonly tokens: number;
}

export interface SummaryRangeOptions {
  /** Tokens of each item as it is sent. */
  readonly sizes: readonly number[];
  /** Recent messages that stay, as far as `maxRecentTokens` allows. */
  readonly keepRecent: number;
  readonly maxRecentTokens: number;
}

/**
 * Finds the messages to summarize: everything but the recent ones, the newest turn and the newest message of a trusted user.
 * If that message is among the older ones, the larger side of it. A call and its result are never separated. Null if nothing
 * is left.
 */
export function findSummaryRange(
  items: readonly ContextItem[],
  options: SummaryRangeOptions,
): SummaryRange | null {
  const end = findEnd(items, options);
  const trusted = findNewestTrusted(items);
  const ranges =
    trusted === -1 || trusted >= end
      ? [[0, end]]
      : [
          [0, trusted],
          [trusted + 1, end],
        ];
  const measured = ranges.map(([start = 0, stop = 0]) => ({
    start,
    end: stop,
    tokens: options.sizes.slice(start, stop).reduce((sum, size) => sum + size, 0),
  }));
  const largest = measured.reduce((one, other) => (other.tokens > one.tokens ? other : one));
  return largest.end > largest.start ? largest : null;
}

function findEnd(
  items: readonly ContextItem[],
  { sizes, keepRecent, maxRecentTokens }: SummaryRangeOptions,
): number {
  const { newestTurn } = toGroups(items);
  const cuts = listCuts(items).filter((cut) => cut <= newestTurn);
  const sizeFrom = (cut: number) => sizes.slice(cut).reduce((sum, size) => sum + size, 0);
  const wished = cuts.findLast((cut) => items.length - cut >= keepRecent);
  const fitting = cuts.find((cut) => sizeFrom(cut) <= maxRecentTokens);
  return Math.max(wished ?? 0, fitting ?? cuts.at(-1) ?? 0);
}

/** Indexes before which a context may be cut: no call is on one side with its result on the other. */
function listCuts(items: readonly ContextItem[]): readonly number[] {
  const cuts: number[] = [];
  let open = 0;
  for (const [index, { message }] of items.entries()) {
    if (message.role === 'assistant') open = countCalls(message);
    if (message.role === 'tool') open -= message.content.length;
    if (open <= 0) cuts.push(index + 1);
  }
  return cuts;
}
