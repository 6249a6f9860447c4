import type { ThreadMessage } from '@agent/thread-context';
import { compareIds } from './compare-ids.ts';

/** The newest messages of a thread without a gap, as far back as somebody read. */
export interface MessageWindow {
  /** Newest first, older than `before`; null: of all. Null where older ones are not known. */
  readonly page: (before: string | null, limit: number) => readonly ThreadMessage[] | null;
  /** The oldest that is known. */
  readonly oldestId: () => string | null;
  /** What was read from there on; `isEnd`: the thread begins with it. */
  readonly extend: (older: readonly ThreadMessage[], isEnd: boolean) => void;
  readonly add: (message: ThreadMessage) => void;
  readonly edit: (id: string, content: string) => void;
  readonly remove: (id: string) => void;
}

/** Keeps at most so many messages, the newest. */
export function createMessageWindow(maxMessages: number): MessageWindow {
  /** Oldest first. */
  let known: ThreadMessage[] = [];
  let isRead = false;
  let isWhole = false;
  /** What happened to messages that were not read yet: a page that is on its way does not know of it. */
  const edited = new Map<string, string>();
  const removed = new Set<string>();

  const trim = (): void => {
    if (known.length <= maxMessages) return;
    known = known.slice(known.length - maxMessages);
    isWhole = false;
  };
  return {
    page: (before, limit) => {
      if (!isRead) return null;
      const end = before === null ? known.length : known.findIndex(({ id }) => compareIds(id, before) >= 0);
      const older = known.slice(0, end === -1 ? known.length : end);
      const page = older.slice(Math.max(0, older.length - limit)).reverse();
      return page.length === limit || isWhole ? page : null;
    },
    oldestId: () => (isRead ? (known[0]?.id ?? null) : null),
    extend: (older, isEnd) => {
      const had = new Set(known.map(({ id }) => id));
      const fresh = older
        .filter(({ id }) => !had.has(id) && !removed.has(id))
        .map((message) => ({ ...message, content: edited.get(message.id) ?? message.content }));
      edited.clear();
      removed.clear();
      known = [...fresh, ...known].sort((one, other) => compareIds(one.id, other.id));
      isRead = true;
      isWhole ||= isEnd;
      trim();
    },
    add: (message) => {
      if (known.some(({ id }) => id === message.id)) return;
      known.push(message);
      if (compareIds(known.at(-2)?.id ?? '', message.id) > 0)
        known.sort((one, other) => compareIds(one.id, other.id));
      trim();
    },
    edit: (id, content) => {
      const index = known.findIndex((message) => message.id === id);
      const message = known[index];
      if (message !== undefined) known[index] = { ...message, content };
      else if (!isWhole) edited.set(id, content);
    },
    remove: (id) => {
      known = known.filter((message) => message.id !== id);
      if (!isWhole) removed.add(id);
    },
  };
}
