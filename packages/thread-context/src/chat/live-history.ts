import { checkOptions, expectNumber } from '@agent/text/options';
import type { ThreadMessage, ThreadReader } from '../thread/to-turns.ts';
import { compareIds } from './find-open.ts';

/** An event that a chat's platform tells of a conversation. */
export type HistoryEvent =
  | { readonly kind: 'added'; readonly channelId: string; readonly message: ThreadMessage }
  | { readonly kind: 'edited'; readonly channelId: string; readonly id: string; readonly content: string }
  | { readonly kind: 'removed'; readonly channelId: string; readonly ids: readonly string[] }
  | { readonly kind: 'channel-gone'; readonly channelId: string }
  /** A new session: whatever happened before it may have been missed. */
  | { readonly kind: 'session-new' }
  /** The connection is gone, and events with it, until it is back. */
  | { readonly kind: 'connection-lost' }
  | { readonly kind: 'connection-resumed' };

/** Histories of threads, kept by events. */
export interface LiveHistory {
  /** The same reader, which asks the platform only for what is not known. */
  readonly remember: (channelId: string, reader: ThreadReader) => ThreadReader;
  readonly apply: (event: HistoryEvent) => void;
}

/** Bounds of what is kept. */
export interface LiveHistoryOptions {
  /** Messages kept of each thread. */
  readonly maxMessages: number;
  /** Threads kept; the one that was read longest ago is forgotten first. Default: 1,000. */
  readonly maxThreads?: number | undefined;
}

/** Messages that are read at once: the limit of a page of Discord. */
const pageSize = 100;

interface Remembered {
  readonly window: MessageWindow;
  /** Undefined while it was not asked for. */
  starter: ThreadMessage | null | undefined;
}

/**
 * Keeps threads as events tell of them, so that an answer costs no request for history. What is kept is never
 * older than the session: a new one begins with nothing.
 *
 * @example
 * const history = createLiveHistory({ maxMessages: 200 });
 * const thread = history.remember('7', reader);
 * history.apply({ kind: 'edited', channelId: '7', id: '11', content: 'better' });
 *
 * @see decision D8
 * @see https://docs.discord.com/developers/events/gateway#resuming
 */
export function createLiveHistory(options: LiveHistoryOptions): LiveHistory {
  const count = expectNumber(1, { isWhole: true });
  checkOptions('LiveHistoryOptions', options, { maxMessages: count, maxThreads: count }, ['maxMessages']);
  const { maxMessages, maxThreads = 1_000 } = options;
  const threads = new Map<string, Remembered>();
  let isConnected = true;

  const open = (channelId: string): Remembered => {
    const thread = threads.get(channelId) ?? { window: createMessageWindow(maxMessages), starter: undefined };
    threads.delete(channelId);
    threads.set(channelId, thread);
    const [oldest] = threads.keys();
    if (threads.size > maxThreads && oldest !== undefined) threads.delete(oldest);
    return thread;
  };
  return {
    remember: (channelId, reader) => ({
      fetchPage: (request) =>
        isConnected ? readPage(open(channelId).window, reader, request) : reader.fetchPage(request),
      fetchStarter: (request) =>
        isConnected ? readStarter(open(channelId), reader, request) : reader.fetchStarter(request),
    }),
    apply: (event) => {
      if (event.kind === 'connection-lost') isConnected = false;
      else if (event.kind === 'connection-resumed') isConnected = true;
      else if (event.kind === 'session-new') {
        threads.clear();
        isConnected = true;
      } else if (event.kind === 'channel-gone') threads.delete(event.channelId);
      else {
        threads.get(event.channelId)?.window.apply(event);
        changeStarter(threads, event);
      }
    },
  };
}

type Request = Parameters<ThreadReader['fetchPage']>[0];

type MessageEvent = Extract<HistoryEvent, { readonly kind: 'added' | 'edited' | 'removed' }>;

async function readPage(
  window: MessageWindow,
  reader: ThreadReader,
  request: Request,
): Promise<readonly ThreadMessage[]> {
  const { before, limit } = request;
  const known = window.page(before, limit);
  if (known !== null) return known;
  const older = await reader.fetchPage({ ...request, before: window.oldestId(), limit: pageSize });
  window.extend(older, older.length < pageSize);
  // Null: older than what is kept.
  return window.page(before, limit) ?? reader.fetchPage(request);
}

async function readStarter(
  thread: Remembered,
  reader: ThreadReader,
  request: Parameters<ThreadReader['fetchStarter']>[0],
): Promise<ThreadMessage | null> {
  if (thread.starter !== undefined) return thread.starter;
  const starter = await reader.fetchStarter(request);
  // An event that came meanwhile knows better.
  if (thread.starter === undefined) thread.starter = starter;
  return thread.starter;
}

/** A thread has the id of the message it was made from, whose events come from the parent channel. */
function changeStarter(threads: ReadonlyMap<string, Remembered>, event: MessageEvent): void {
  if (event.kind === 'edited') {
    const thread = threads.get(event.id);
    if (thread?.starter) thread.starter = { ...thread.starter, content: event.content };
  }
  for (const id of event.kind === 'removed' ? event.ids : []) {
    const thread = threads.get(id);
    if (thread !== undefined) thread.starter = null;
  }
}

type MessageWindow = ReturnType<typeof createMessageWindow>;

/** The newest messages of a thread without a gap, as far back as somebody read; at most so many. */
function createMessageWindow(maxMessages: number) {
  /** Oldest first. */
  let known: ThreadMessage[] = [];
  let isRead = false;
  let isWhole = false;
  /** Changes of messages that were not read yet: a page that is on its way does not know of them. */
  const edited = new Map<string, string>();
  const removed = new Set<string>();

  /** Sorts by age, and forgets the oldest. */
  const put = (messages: ThreadMessage[]): void => {
    known = messages.sort((one, other) => compareIds(one.id, other.id));
    if (known.length <= maxMessages) return;
    known = known.slice(known.length - maxMessages);
    isWhole = false;
  };
  return {
    /** Newest first, older than `before`; null: of all. Null where older ones are not known. */
    page: (before: string | null, limit: number): readonly ThreadMessage[] | null => {
      if (!isRead) return null;
      const end = before === null ? -1 : known.findIndex(({ id }) => compareIds(id, before) >= 0);
      const older = known.slice(0, end === -1 ? known.length : end);
      const page = older.slice(Math.max(0, older.length - limit)).reverse();
      return page.length === limit || isWhole ? page : null;
    },
    /** The oldest that is known. */
    oldestId: (): string | null => (isRead ? (known[0]?.id ?? null) : null),
    /** Takes what was read from there on; `isEnd`: the thread begins with it. */
    extend: (older: readonly ThreadMessage[], isEnd: boolean): void => {
      const had = new Set(known.map(({ id }) => id));
      const fresh = older
        .filter(({ id }) => !had.has(id) && !removed.has(id))
        .map((message) => ({ ...message, content: edited.get(message.id) ?? message.content }));
      edited.clear();
      removed.clear();
      isRead = true;
      isWhole ||= isEnd;
      put([...fresh, ...known]);
    },
    apply: (event: MessageEvent): void => {
      if (event.kind === 'added') {
        if (!known.some(({ id }) => id === event.message.id)) put([...known, event.message]);
      } else if (event.kind === 'edited') {
        const { id, content } = event;
        if (!isWhole && !known.some((message) => message.id === id)) edited.set(id, content);
        known = known.map((message) => (message.id === id ? { ...message, content } : message));
      } else {
        known = known.filter(({ id }) => !event.ids.includes(id));
        if (!isWhole) for (const id of event.ids) removed.add(id);
      }
    },
  };
}
