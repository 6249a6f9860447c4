import type { ThreadMessage, ThreadReader } from './ports.ts';

/** What Discord gives at most. */
const pageSize = 100;

export interface ReadMessages {
  /** Newest first, each once. */
  readonly messages: readonly ThreadMessage[];
  /** Whether the oldest of them is the first of the thread. */
  readonly isWhole: boolean;
  /** What a page was refused with; the pages before it are there. Null when all went well. */
  readonly error: unknown;
}

/**
 * The newest messages, page by page. A page that fails ends the reading and keeps what was read.
 *
 * @throws the signal's reason when the caller gave up
 * @see decisions D1, D7
 */
export async function readMessages(
  reader: ThreadReader,
  { maxMessages, signal }: { maxMessages: number; signal: AbortSignal | undefined },
): Promise<ReadMessages> {
  const read = new Map<string, ThreadMessage>();
  let before: string | null = null;
  while (read.size < maxMessages) {
    const limit = Math.min(pageSize, maxMessages - read.size);
    try {
      const page: readonly ThreadMessage[] = await reader.fetchPage({ before, limit, signal });
      const known = read.size;
      for (const message of page) read.set(message.id, message);
      before = page.at(-1)?.id ?? before;
      if (page.length < limit || read.size === known)
        return { messages: [...read.values()], isWhole: true, error: null };
    } catch (error) {
      signal?.throwIfAborted();
      return { messages: [...read.values()], isWhole: false, error };
    }
  }
  return { messages: [...read.values()], isWhole: false, error: null };
}
