import type { ThreadMessage, ThreadReader } from '@agent/thread-context';
import { createMessageWindow, type MessageWindow } from './message-window.ts';

/** What the gateway tells about a conversation. */
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

export interface GatewayHistory {
  /** The same reader, which asks Discord only for what is not known. */
  readonly remember: (channelId: string, reader: ThreadReader) => ThreadReader;
  readonly apply: (event: HistoryEvent) => void;
}

export interface GatewayHistoryOptions {
  /** Messages kept of each thread. */
  readonly maxMessages: number;
  /** Threads kept; the one that was read longest ago is forgotten first. Default: 1,000. */
  readonly maxThreads?: number | undefined;
}

/** What Discord gives at most. */
const pageSize = 100;

interface Remembered {
  readonly window: MessageWindow;
  /** Undefined while it was not asked for. */
  starter: ThreadMessage | null | undefined;
}

/**
 * Keeps threads as the gateway tells of them, so that an answer costs no request for history. What is kept is never
 * older than the session: a new one begins with nothing.
 *
 * @see decision D8
 * @see https://docs.discord.com/developers/events/gateway#resuming
 */
export function createGatewayHistory({
  maxMessages,
  maxThreads = 1_000,
}: GatewayHistoryOptions): GatewayHistory {
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
        const thread = threads.get(event.channelId);
        if (thread !== undefined) changeWindow(thread.window, event);
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

function changeWindow(window: MessageWindow, event: MessageEvent): void {
  if (event.kind === 'added') window.add(event.message);
  else if (event.kind === 'edited') window.edit(event.id, event.content);
  else for (const id of event.ids) window.remove(id);
}

/** A thread has the id of the message it was made from, whose events come from the parent channel. */
function changeStarter(threads: ReadonlyMap<string, Remembered>, event: MessageEvent): void {
  if (event.kind === 'edited') {
    const thread = threads.get(event.id);
    if (thread?.starter) thread.starter = { ...thread.starter, content: event.content };
  }
  if (event.kind === 'removed') {
    for (const id of event.ids) {
      const thread = threads.get(id);
      if (thread !== undefined) thread.starter = null;
    }
  }
}
