import type { ThreadMessage, ThreadReader } from '@agent/thread-context';

/** The bot of the samples. */
export const botUserId = '900';

/** The seed's limits. */
export const limits = { maxMessages: 200, maxTranscriptChars: 20_000 } as const;

const words =
  'the price of a line is wrong when it has more than one item so look at total and say why'.split(' ');

/** A thread of one person and the bot in turn, oldest first: 3 to 45 words each, the same ones in every run. */
export function makeHistory(count: number): ThreadMessage[] {
  return Array.from({ length: count }, (_, index) => {
    const isOwn = index % 2 === 1;
    return {
      id: String(1_400_000_000_000_000_000n + BigInt(index) * 251_658_240_007n),
      authorId: isOwn ? botUserId : '1',
      authorName: isOwn ? 'suzume' : 'alice',
      authorIsBot: isOwn,
      isSystem: false,
      content: makeText(index),
    };
  });
}

function makeText(index: number): string {
  const length = 3 + ((index * 7_919) % 43);
  return Array.from({ length }, (_, at) => words[(index + at * 5) % words.length]).join(' ');
}

export interface CountingReader extends ThreadReader {
  readonly countPages: () => number;
}

/** The thread in memory, in pages, newest first. */
export function toReader(history: readonly ThreadMessage[]): CountingReader {
  const places = new Map(history.map(({ id }, index) => [id, index]));
  let pages = 0;
  return {
    countPages: () => pages,
    fetchPage: async ({ before, limit }) => {
      pages += 1;
      const end = before === null ? history.length : (places.get(before) ?? 0);
      return history.slice(Math.max(0, end - limit), end).reverse();
    },
    fetchStarter: async () => null,
  };
}
