import { ThreadContextBuilder, type ThreadMessage, TranscriptFormatter } from '@agent/thread-context';
import { botUserId, limits, toReader } from './sample-history.ts';

const { maxMessages, maxTranscriptChars } = limits;
const formatter = new TranscriptFormatter();

/** A line for every message of a thread, shaped by the library, for the ways that begin with all of them. */
export async function toLines(history: readonly ThreadMessage[]): Promise<string[]> {
  const options = { maxMessages: Math.max(1, history.length), maxTranscriptChars: Number.MAX_SAFE_INTEGER };
  const turns = await new ThreadContextBuilder(options).build(toReader(history), botUserId);
  return turns.map((turn) => formatter.toTranscript([turn]));
}

/** Joins, measures and drops the oldest, until it fits. */
export function trimNaively(all: readonly string[]): string {
  const lines = [...all];
  while (isOver(lines)) lines.shift();
  return lines.join('\n');
}

/** Measures every line once, takes off what is dropped. */
export function trimByRunningSum(all: readonly string[]): string {
  const lines = [...all];
  let chars = lines.reduce((sum, line) => sum + line.length + 1, -1);
  while (chars > maxTranscriptChars || lines.length > maxMessages) chars -= (lines.shift()?.length ?? 0) + 1;
  return lines.join('\n');
}

/** What the naive way would take: some of its drops, timed, each of the others by how long the rest is then. */
export async function extrapolateNaive(
  all: readonly string[],
  { kept, drops, measure }: ExtrapolationOptions,
): Promise<number> {
  const lines = [...all];
  const time = await measure(() => {
    for (let drop = 0; drop < drops && isOver(lines); drop += 1) lines.shift();
  });
  return sumDrops(time / drops, { count: all.length, kept });
}

export interface ExtrapolationOptions {
  /** How many lines the transcript has at the end. */
  readonly kept: number;
  /** How many drops are timed. */
  readonly drops: number;
  /** Gives milliseconds. */
  readonly measure: (work: () => void) => Promise<number>;
}

/** The time of all drops when one takes time in proportion to what is left. */
export function sumDrops(firstMs: number, { count, kept }: { count: number; kept: number }): number {
  return (firstMs * (count - kept) * (count + kept)) / (2 * count);
}

function isOver(lines: readonly string[]): boolean {
  return lines.join('\n').length > maxTranscriptChars || lines.length > maxMessages;
}
