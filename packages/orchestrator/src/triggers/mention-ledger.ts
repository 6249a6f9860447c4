import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { TaskQuery } from '@agent/platforms';
import type { StorageNotes } from '@agent/run-store';
import { findOtherVersion } from '@agent/text';
import { z } from 'zod';

/** Places are what they are whatever their case. */
const toPlaceKey = (place: string) => place.toLowerCase();

const openStates = ['waiting', 'processing', 'paused'] as const;

const time = z.string().refine((text) => !Number.isNaN(Date.parse(text)), 'is not a valid time');

const placeSchema = z.object({
  /** Mentions that were written there before this time (ISO 8601) are handled. */
  handled_before: time,
  /** Threads there that changed before this time were read. */
  polled_until: time,
  /** When it was missing among the places for the first time since it was read; null for one that is there. */
  missing_since: time.nullable(),
});

const recordVersion = 1;

const recordSchema = z.object({
  version: z.literal(recordVersion),
  /** By place, in lower case. */
  places: z.record(z.string(), placeSchema).transform(byFoldedName),
  /** Mentions that need no run any more, the oldest first. */
  handled: z.array(z.object({ id: z.string(), created_at: time })),
  /** Threads that a run works on, that are paused, or that the agent gave back to itself, by task key. */
  threads: z.record(z.string(), z.object({ state: z.enum(openStates), changed_at: time })),
});

function byFoldedName<Value>(places: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(places).map(([place, value]) => [toPlaceKey(place), value]));
}

/** Memory of mentions, as it is kept. */
export type MentionRecord = z.infer<typeof recordSchema>;

/** Keeps a record of mentions as a whole. */
export interface MentionStore {
  /** Null where there is none yet. Rejects where there is one that cannot be read. */
  readonly read: () => Promise<MentionRecord | null>;
  readonly write: (record: MentionRecord) => Promise<void>;
}

/**
 * Keeps the record of one host in a note.
 *
 * @example
 * const store = createMentionStore(createFileStorage({ baseDirectory: './agent' }).notes, platform);
 */
export function createMentionStore(
  notes: Pick<StorageNotes, 'read' | 'write' | 'locate'>,
  { host }: { readonly host: string },
): MentionStore {
  const name = `mentions/${createHash('sha256').update(host).digest('hex').slice(0, 16)}`;
  return {
    read: async () => {
      const place = `The record of mentions on ${host}, ${notes.locate(name)},`;
      const cannot = (cause: unknown): never => {
        const message = `${place} cannot be read. Restore it, or remove it to answer only new mentions.`;
        throw new Error(message, { cause });
      };
      const kept = await notes.read(name).catch(cannot);
      if (kept === null) return null;
      const refusal = findOtherVersion(kept, { version: recordVersion, place });
      if (refusal !== null) throw new Error(refusal);
      const { success, data, error } = recordSchema.safeParse(kept);
      return success ? data : cannot(error);
    },
    write: (record) => notes.write(name, record),
  };
}

/** A mention as it is remembered. */
export interface NamedMention {
  /** Id of the comment or text, unique on its host. */
  readonly id: string;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** Result of a poll. */
export interface EndedPoll {
  /** Places that were read. */
  readonly read: ReadonlyMap<string, ReadPlace>;
  readonly unread: ReadonlySet<string>;
  /** When the oldest mention that waits was written; null where none does. */
  readonly oldestOpen: string | null;
  /** Time of the poll (ISO 8601). */
  readonly at: string;
}

/** A place that a poll read. Times are ISO 8601. */
export interface ReadPlace {
  /** The time before which all is handled in one that is new. */
  readonly begin: string;
  /** The time until which all changed threads were read; null to keep the last one. */
  readonly until: string | null;
}

/** A place that is missing for as long is forgotten. A list may lack one for a while, and what was said meanwhile is to be answered. */
const missingMs = 24 * 60 * 60_000;

/** So many handled mentions are remembered one by one. */
const maxHandled = 1_000;

/**
 * Remembers which mentions were handled. Beyond a bound the oldest are forgotten, and what is as old as they are counts as
 * handled from then on: no mention begins two runs. A change is kept when the promise that it gives back is fulfilled.
 */
export class MentionLedger {
  readonly #store: MentionStore;
  #record: MentionRecord;
  #handled: Set<string>;
  #written: Promise<void> = Promise.resolve();

  private constructor(store: MentionStore, record: MentionRecord) {
    this.#store = store;
    this.#record = record;
    this.#handled = new Set(record.handled.map(({ id }) => id));
  }

  /** Opens the record; where there is none an empty one begins. */
  static async open(store: MentionStore): Promise<MentionLedger> {
    const record = await store.read();
    return new MentionLedger(
      store,
      record ?? { version: recordVersion, places: {}, handled: [], threads: {} },
    );
  }

  /** Finds since when changes are to be asked for: in a place as it was read last, in a new one since `begin` (ISO 8601). */
  findSince(
    places: readonly string[],
    { begin, overlapMs }: { readonly begin: string; readonly overlapMs: number },
  ): Pick<TaskQuery, 'changedSince' | 'changedSinceIn'> {
    const times = places.map((place) => {
      const until = Date.parse(this.#placeOf(place)?.polled_until ?? begin);
      return [place, new Date(until - overlapMs).toISOString()] as const;
    });
    const [earliest = null] = times.map(([, time]) => time).toSorted();
    return { changedSince: earliest, changedSinceIn: Object.fromEntries(times) };
  }

  /** The time before which everything in a place is handled; null for a place that was not read yet. */
  handledBefore(place: string): string | null {
    return this.#placeOf(place)?.handled_before ?? null;
  }

  isHandled({ id }: NamedMention): boolean {
    return this.#handled.has(id);
  }

  threadOf(key: string): MentionRecord['threads'][string] | null {
    return this.#record.threads[key] ?? null;
  }

  /** Resolves when these count as handled. */
  async handle(mentions: readonly NamedMention[]): Promise<void> {
    const fresh = mentions.filter((mention) => !this.isHandled(mention));
    if (fresh.length === 0) return this.#settle();
    const handled = [
      ...this.#record.handled,
      ...fresh.map(({ id, createdAt }) => ({ id, created_at: createdAt })),
    ].toSorted((one, other) => Date.parse(one.created_at) - Date.parse(other.created_at));
    await this.#keep({ ...this.#record, handled });
  }

  /** Sets what a thread shows; null for nothing any more. */
  async setThread(key: string, thread: MentionRecord['threads'][string] | null): Promise<void> {
    const { [key]: known, ...others } = this.#record.threads;
    const isKnown = known?.state === thread?.state && known?.changed_at === thread?.changed_at;
    if (isKnown) return this.#settle();
    const threads = thread === null ? others : { ...others, [key]: thread };
    await this.#keep({ ...this.#record, threads });
  }

  /** Has the threads of a place read again that changed at this time or later. */
  async readAgain(place: string, since: string): Promise<void> {
    const known = this.#placeOf(place);
    if (known === undefined || Date.parse(known.polled_until) <= Date.parse(since)) return;
    const places = { ...this.#record.places, [toPlaceKey(place)]: { ...known, polled_until: since } };
    await this.#keep({ ...this.#record, places });
  }

  /** Takes note of a poll. Places that were neither read nor are in `unread` for a day are forgotten, at once where another one is new. */
  async endPoll({ read, unread, oldestOpen, at }: EndedPoll): Promise<void> {
    const unreadKeys = new Set([...unread].map(toPlaceKey));
    // It may be one that is called otherwise now: its mentions are known by its old name, and would be answered again under it.
    const mayBeRenamed = [...read.keys()].some((place) => this.#placeOf(place) === undefined);
    const kept = Object.entries(this.#record.places).flatMap(([place, known]) => {
      const isUnread = unreadKeys.has(place);
      const since = isUnread ? null : (known.missing_since ?? (mayBeRenamed ? null : at));
      const isKept = isUnread || (since !== null && Date.parse(at) - Date.parse(since) < missingMs);
      return isKept ? [[place, { ...known, missing_since: since }] as const] : [];
    });
    const ended = [...read].map(([place, { begin, until }]) => {
      const known = this.#placeOf(place) ?? { handled_before: begin, polled_until: begin };
      const polled_until = until ?? known.polled_until;
      return [toPlaceKey(place), { ...known, polled_until, missing_since: null }] as const;
    });
    const record = { ...this.#record, places: Object.fromEntries([...kept, ...ended]) };
    const next = unread.size > 0 ? record : trim(record, oldestOpen);
    if (!isDeepStrictEqual(next, this.#record)) await this.#keep(next);
  }

  #placeOf(place: string): MentionRecord['places'][string] | undefined {
    return this.#record.places[toPlaceKey(place)];
  }

  /** Waits for what is being written; what could not be written is written again. */
  #settle(): Promise<void> {
    return this.#written.catch(() => this.#keep(this.#record));
  }

  /** Writes follow one another. */
  #keep(record: MentionRecord): Promise<void> {
    this.#record = record;
    this.#handled = new Set(record.handled.map(({ id }) => id));
    const written = this.#written.catch(() => {}).then(() => this.#store.write(this.#record));
    this.#written = written;
    return written;
  }
}

/** Forgets the oldest handled mentions beyond the bound, none that is younger than one that waits. */
function trim(record: MentionRecord, oldestOpen: string | null): MentionRecord {
  const { handled, places } = record;
  const oldest = oldestOpen === null ? Number.POSITIVE_INFINITY : Date.parse(oldestOpen);
  const surplus = handled.slice(0, Math.max(0, handled.length - maxHandled));
  const last = surplus.findLast(({ created_at: at }) => Date.parse(at) < oldest);
  if (last === undefined) return record;
  const isYounger = ({ created_at: at }: { readonly created_at: string }) =>
    Date.parse(at) > Date.parse(last.created_at);
  const later = (at: string) => (Date.parse(at) > Date.parse(last.created_at) ? at : last.created_at);
  const raised = Object.entries(places).map(([place, known]) => [
    place,
    { ...known, handled_before: later(known.handled_before) },
  ]);
  return { ...record, handled: handled.filter(isYounger), places: Object.fromEntries(raised) };
}
