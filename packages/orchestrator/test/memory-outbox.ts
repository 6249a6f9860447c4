import type { CommentWriter } from '@agent/platforms';
import type { Outbox, OutboxEntry } from '@agent/run-store';
import { pino } from 'pino';
import type { RunLogger } from '../src/host/ports.ts';
import { createDoIntent, type DoIntent } from '../src/intents/do-intent.ts';
import { createRunComments } from '../src/run/run-comments.ts';
import type { RunComments } from '../src/run/run-thread.ts';

/** An outbox that lies in memory. */
export function openMemoryOutbox({ now }: { readonly now: () => number }): Outbox {
  const entries = new Map<string, OutboxEntry>();
  const time = () => new Date(now()).toISOString();
  return {
    open: async (intent) => {
      const entry = entries.get(intent.id) ?? { ...intent, state: 'open', openedAt: time() };
      entries.set(intent.id, entry);
      return entry;
    },
    settle: async (id, result) => {
      const entry = entries.get(id);
      if (entry === undefined) throw new Error(`There is no entry ${id}.`);
      if (entry.state === 'open') entries.set(id, { ...entry, ...result, settledAt: time() });
    },
    list: async () => [...entries.values()],
  };
}

/** Carries out the intents of a run for which no operator asks anything. */
export function openDoIntent(now: () => number): DoIntent {
  return createDoIntent({ controls: { read: async () => [], remove: async () => {} }, now });
}

const silent = pino({ level: 'silent' });

/** Writes the comments of a run whose outbox lies in memory. */
export function openRunComments(writer: CommentWriter, logger: RunLogger = silent): RunComments {
  const now = () => 0;
  const run = { uuid: 'u', outbox: openMemoryOutbox({ now }), logger };
  return createRunComments(run, { writer, doIntent: openDoIntent(now) });
}
