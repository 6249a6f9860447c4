import type { JournalEntry, JournalEvent, RunOutcome } from './model.ts';
import type { RunJournal } from './ports.ts';

interface MemoryRunJournalOptions {
  /** Entries that the journal begins with, as an earlier run left it. Default none. */
  readonly entries?: readonly JournalEntry[] | undefined;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/** A journal that can be looked into; what it holds has gone through JSON, as on a disk. */
export interface MemoryRunJournal extends RunJournal {
  readonly entries: readonly JournalEntry[];
  /** The lines about tools, which `read` leaves out. */
  readonly toolEvents: readonly JournalEvent[];
  readonly outcome: () => RunOutcome | null;
}

/**
 * A journal in memory, for tests and for runs that need not survive their process.
 *
 * @example
 * const journal = createMemoryRunJournal();
 * await runTask({ model, tools, journal, openConversation });
 */
export function createMemoryRunJournal(options: MemoryRunJournalOptions = {}): MemoryRunJournal {
  const { now = Date.now } = options;
  const entries: JournalEntry[] = [...(options.entries ?? [])];
  const toolEvents: JournalEvent[] = [];
  let seq = entries.filter(({ type }) => type === 'message').length;
  let end: RunOutcome | null = null;
  return {
    entries,
    toolEvents,
    outcome: () => end,
    append: async (event) => {
      const copy = JSON.parse(JSON.stringify(event)) as JournalEvent;
      if (copy.type === 'fact') return entries.push(copy);
      if (copy.type !== 'message') return toolEvents.push(copy);
      seq += 1;
      entries.push({ ...copy, seq, timestamp: new Date(now()).toISOString() });
      return seq;
    },
    read: async function* () {
      yield* [...entries];
    },
    replaceContext: async (_messages, summary) => {
      entries.push({ type: 'summary', summary });
    },
    finish: async (outcome) => {
      end = outcome;
    },
  };
}
