import type { ThreadMessage, ThreadReader } from './ports.ts';

/** Limit of a page of Discord. */
const pageSize = 100;

export interface ReadMessages {
  /** Newest first, each once. */
  readonly messages: readonly ThreadMessage[];
  /** Tells whether the oldest of them is the first of the thread. */
  readonly isWhole: boolean;
  /** Error that a page was refused with; the pages before it are there. Null when all went well. */
  readonly error: unknown;
}

export interface ReadOptions {
  readonly maxMessages: number;
  /** Asked after each page: whether what is older could matter. */
  readonly wantsOlder: (page: readonly ThreadMessage[]) => boolean;
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
  let ending = { isWhole: false, error: null as unknown };
  for (let before: string | null = null; messages.size < maxMessages; ) {
    const limit = Math.min(pageSize, maxMessages - messages.size);
    const { page, error } = await readPage(reader, { before, limit, signal });
    const known = messages.size;
    for (const message of page) messages.set(message.id, message);
    const isLast = page.length < limit || messages.size === known;
    ending = { isWhole: isLast && error === null, error };
    if (isLast || !wantsOlder(page)) break;
    before = page.at(-1)?.id ?? null;
  }
  return { messages: [...messages.values()], ...ending };
}

async function readPage(
  reader: ThreadReader,
  request: Parameters<ThreadReader['fetchPage']>[0],
): Promise<{ page: readonly ThreadMessage[]; error: unknown }> {
  try {
    return { page: requirePage(await reader.fetchPage(request)), error: null };
  } catch (error) {
    request.signal?.throwIfAborted();
    return { page: [], error: toReason(error) };
  }
}

function requirePage(page: readonly ThreadMessage[]): readonly ThreadMessage[] {
  if (Array.isArray(page)) return page;
  throw new TypeError('The reader answered with no list of messages; see the port ThreadReader.');
}

/** What a reader rejected with: an error in any case, so that nothing takes its absence for success. */
export function toReason(error: unknown): unknown {
  return error ?? new Error('The reader rejected without saying why.');
}
