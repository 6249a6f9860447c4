import type { ThreadMessage, ThreadReader } from '../src/thread/to-turns.ts';

/** The bot of the tests. */
export const botUserId = '900';

/** A person's message; ids grow as they do on Discord. */
export function say(id: number, content: string, fields: Partial<ThreadMessage> = {}): ThreadMessage {
  const alice = { authorId: '1', authorName: 'alice', authorIsBot: false, isSystem: false };
  return { id: String(id), ...alice, content, ...fields };
}

/** The bot's own message. */
export function answer(id: number, content: string): ThreadMessage {
  return say(id, content, { authorId: botUserId, authorName: 'suzume', authorIsBot: true });
}

export interface SampleThread extends ThreadReader {
  /** What was asked for, in order. */
  readonly asked: string[];
}

/** A thread in memory that is listed as Discord lists one. Messages are given oldest first. */
export function sampleThread(
  messages: readonly ThreadMessage[],
  { starter = null, failAt = null }: { starter?: ThreadMessage | null; failAt?: string | null } = {},
): SampleThread {
  const asked: string[] = [];
  const note = (what: string): void => {
    asked.push(what);
    if (what === failAt) throw new Error(`refused: ${what}`);
  };
  return {
    asked,
    fetchPage: async ({ before, limit }) => {
      note(`page ${before} ${limit}`);
      const end = before === null ? messages.length : messages.findIndex(({ id }) => id === before);
      return messages.slice(Math.max(0, end - limit), end).reverse();
    },
    fetchStarter: async () => {
      note('starter');
      return starter;
    },
  };
}
