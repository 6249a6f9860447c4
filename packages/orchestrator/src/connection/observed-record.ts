import { createHash } from 'node:crypto';
import type { StorageNotes } from '@agent/run-store';
import { z } from 'zod';

const change = z.enum(['add', 'remove']);

const recordSchema = z.object({
  /** Number of the last id that was given. */
  last_id: z.number(),
  comments: z.array(
    z.object({
      id: z.string(),
      topic: z.string(),
      body: z.string(),
      note: z.string().nullable(),
      internal: z.boolean(),
      created_at: z.string(),
      updated_at: z.string(),
    }),
  ),
  /** Comments that are on the platform, as they would be now, by id; null for a deleted comment. */
  edited: z.record(z.string(), z.object({ text: z.string(), note: z.string().nullable() }).nullable()),
  /** By name in lower case. `answers`: time of the event that a removal answers; null where none is known. */
  labels: z.record(z.string(), z.object({ name: z.string(), change, answers: z.string().nullable() })),
  /** By id of the account; as labels. */
  assignees: z.record(z.string(), z.object({ login: z.string(), change, answers: z.string().nullable() })),
  drafts: z.array(
    z.object({ head_branch: z.string(), base_branch: z.string(), title: z.string(), body: z.string() }),
  ),
  answers: z.array(
    z.object({ id: z.string(), review_thread: z.string(), topic: z.string(), body: z.string() }),
  ),
});

/** All that a thread would look like beyond what is on the platform. */
export type ObservedRecord = z.infer<typeof recordSchema>;

const empty: ObservedRecord = {
  ...{ last_id: 0, comments: [], edited: {}, labels: {}, assignees: {}, drafts: [], answers: [] },
};

/** What one thread would look like. */
export interface ObservedThreadRecord {
  /** Tells whether anything would be different there. */
  readonly isBegun: () => Promise<boolean>;
  readonly read: () => Promise<ObservedRecord>;
  /** Changes follow one another, each on what the one before left; resolves with what is stored. */
  readonly change: (change: (record: ObservedRecord) => ObservedRecord) => Promise<ObservedRecord>;
}

/** Stores the record of each thread in a note, so that a later process continues with it. */
export class ObservedRecords {
  readonly #notes: Pick<StorageNotes, 'read' | 'write'>;
  readonly #known = new Map<string, Promise<ObservedRecord>>();

  constructor(notes: Pick<StorageNotes, 'read' | 'write'>) {
    this.#notes = notes;
  }

  /** `thread`: its name, unique in all platforms. */
  of(thread: string): ObservedThreadRecord {
    const name = `observed/${createHash('sha256').update(thread).digest('hex').slice(0, 32)}`;
    return {
      isBegun: async () => (await this.#read(name)) !== empty,
      read: () => this.#read(name),
      change: (change) => {
        const changed = this.#read(name).then(async (record) => {
          const next = change(record);
          if (next !== record) await this.#notes.write(name, next);
          return next;
        });
        this.#known.set(
          name,
          changed.catch(() => this.#readNote(name)),
        );
        return changed;
      },
    };
  }

  #read(name: string): Promise<ObservedRecord> {
    const known = this.#known.get(name) ?? this.#readNote(name);
    this.#known.set(name, known);
    known.catch(() => {
      if (this.#known.get(name) === known) this.#known.delete(name);
    });
    return known;
  }

  async #readNote(name: string): Promise<ObservedRecord> {
    const kept = await this.#notes.read(name);
    return kept === null ? empty : recordSchema.parse(kept);
  }
}
