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

export interface ReadOptions {
  readonly maxMessages: number;
  /** Asked after each page: whether what is older could matter. */
  readonly wantsOlder: (messages: readonly ThreadMessage[]) => boolean;
  readonly signal: AbortSignal | undefined;
}

/**
 * The newest messages, page by page. A page that fails ends the reading and keeps what was read.
 *
 * @throws the signal's reason when the caller gave up
 * @see decisions D1, D7
 */
export async function readMessages(reader: ThreadReader, options: ReadOptions): Promise<ReadMessages> {
  const { maxMessages, wantsOlder, signal } = options;
  const messages = new Map<string, ThreadMessage>();
  const end = (isWhole: boolean, error: unknown = null) => ({
    messages: [...messages.values()],
    isWhole,
    error,
  });
  for (let before: string | null = null; messages.size < maxMessages; ) {
    const limit = Math.min(pageSize, maxMessages - messages.size);
    try {
      const page: readonly ThreadMessage[] = await reader.fetchPage({ before, limit, signal });
      const known = messages.size;
      for (const message of page) messages.set(message.id, message);
      if (page.length < limit || messages.size === known) return end(true);
      before = page.at(-1)?.id ?? null;
    } catch (error) {
      signal?.throwIfAborted();
      return end(false, error);
    }
    if (messages.size < maxMessages && !wantsOlder([...messages.values()])) break;
  }
  return end(false);
}
