import type { Outbox, OutboxEntry } from '@agent/run-store';

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
