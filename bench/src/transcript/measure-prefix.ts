import { ThreadContextBuilder, TranscriptFormatter } from '@agent/thread-context';
import { botUserId, limits, makeHistory, toReader } from './sample-history.ts';

/** How much of each prompt a server that has read the one before need not read again. */
export interface PrefixShare {
  readonly prompts: number;
  /** Prompts that begin at another turn than the one before. */
  readonly newBeginnings: number;
  /** Of all units of all prompts, in percent. */
  readonly samePercent: number;
  /** UTF-16 units of a prompt that were not there before, the mean. */
  readonly newChars: number;
  /** UTF-16 units of a prompt, the mean. */
  readonly promptChars: number;
}

/** One prompt for each message of a person, from the first to the last of a thread. Only those over a budget count. */
export async function measurePrefix(count: number, { stable }: { stable: boolean }): Promise<PrefixShare> {
  const history = makeHistory(count);
  const builder = new ThreadContextBuilder({ ...limits, stable });
  const formatter = new TranscriptFormatter();
  const prompts: string[] = [];
  for (let length = 1; length <= count; length += 2) {
    const turns = await builder.build(toReader(history.slice(0, length)), botUserId);
    prompts.push(formatter.toTranscript(turns));
  }
  return comparePrompts(prompts);
}

/** Each prompt with the one before, from where the first beginning was lost. */
export function comparePrompts(all: readonly string[]): PrefixShare {
  const firstLine = firstLineOf(all[0] ?? '');
  const prompts = all.filter((prompt) => firstLineOf(prompt) !== firstLine);
  const pairs = prompts.slice(1).map((prompt, index) => ({ prompt, before: prompts[index] ?? '' }));
  const same = pairs.map(({ prompt, before }) => countSame(prompt, before));
  const promptChars = sum(pairs.map(({ prompt }) => prompt.length));
  const newBeginnings = pairs.filter(
    ({ prompt, before }) => firstLineOf(prompt) !== firstLineOf(before),
  ).length;
  return {
    prompts: pairs.length,
    newBeginnings,
    samePercent: (100 * sum(same)) / promptChars,
    newChars: (promptChars - sum(same)) / pairs.length,
    promptChars: promptChars / pairs.length,
  };
}

function countSame(one: string, other: string): number {
  let same = 0;
  while (same < one.length && one.charAt(same) === other.charAt(same)) same += 1;
  return same;
}

function firstLineOf(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
