import type { TaskReference } from '@agent/platforms';
import { checkOptions, type ExpectationsOf, expected } from '@agent/text/options';
import { ContextStoreError } from '../../context-store-error.ts';
import {
  type ControlVerb,
  opposites,
  type PauseSignal,
  type RunControls,
  toName,
} from '../../controls/run-controls.ts';
import { toFirstKeptDay } from '../../index/indexed-run.ts';
import type { Json } from '../../journal-model.ts';
import type { Ownership } from '../../ports.ts';
import { createBookLedger, type SpendingBook } from '../../spending/spending-book.ts';
import type { SpendingLedger } from '../../spending/spending-ledger.ts';
import type {
  RunStorage,
  StorageMembers,
  StorageNotes,
  StorageSnapshots,
  StorageUpkeep,
} from '../../storage.ts';
import { requireNoteName, requireUuid } from '../../storage-names.ts';
import { createMemoryPlace, type MemoryPlace } from './memory-place.ts';
import { copyJson, type MemoryRun } from './memory-run.ts';
import { createMemoryRunLines, createMemoryRunReader, createMemoryTaskIndex } from './memory-run-reader.ts';
import { createMemoryRunStore } from './memory-run-store.ts';

/** Options of a storage in memory. */
export interface MemoryStorageOptions {
  /** Shared by storages that play several processes. Default one of its own. */
  readonly place?: MemoryPlace | undefined;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/**
 * Keeps runs, and all that is kept beside them, in memory, for tests: it passes `runStorageContract` and leaves nothing
 * behind. Who acquires it takes it from the owner before.
 *
 * @example
 * const storage = createMemoryStorage();
 * const orchestrator = createOrchestrator({ platforms, model, directory, storage });
 */
export function createMemoryStorage(options: MemoryStorageOptions = {}): RunStorage {
  const expectations: ExpectationsOf<MemoryStorageOptions> = {
    place: expected.object,
    now: expected.function,
  };
  checkOptions('MemoryStorageOptions', options, expectations);
  const { place = createMemoryPlace(), now = Date.now } = options;
  const index = createMemoryTaskIndex(place);
  const members = createMembers(place);
  let acquired: Ownership | null = null;
  return {
    location: 'memory',
    members: {
      ...members,
      acquire: async () => {
        acquired = await members.acquire();
        return acquired;
      },
    },
    openStore: ({ owner }) => createMemoryRunStore({ place, owner, now }),
    openReader: () => createMemoryRunReader(place),
    openSpending: ({ owner }) => createSpending(place.beside.spending, { owner, now }),
    lines: createMemoryRunLines(place),
    controls: createControls(place.beside.requests),
    pauseSignal: createPauseSignal(place.beside, now),
    index: { ...index, open: async () => ({ ...index, remove: async () => {} }) },
    upkeep: createUpkeep(place, now),
    notes: createNotes(place.beside.notes),
    snapshots: createSnapshots(place, () => acquired),
    signals: place.beside.signals,
    sharing: null,
    health: {
      check: async () => ({ part: 'database', state: 'ok', reason: null }),
      probe: async () => ({}),
    },
    close: async () => {},
  };
}

function createMembers(place: MemoryPlace): StorageMembers {
  const { members } = place.beside;
  return {
    acquire: async () => {
      const owner = await place.acquireOwnership();
      const member: Ownership = {
        ...owner,
        release: async () => {
          members.delete(member);
          await owner.release();
        },
      };
      members.clear();
      members.add(member);
      return member;
    },
    list: async () =>
      [...members].map(({ number }) => ({ number, pid: process.pid, host: 'memory', silentMs: 0 })),
  };
}

function createControls(requests: MemoryPlace['beside']['requests']): RunControls {
  const read = (uuid: string) => requests.get(uuid) ?? new Map<ControlVerb, string | null>();
  return {
    request: async (uuid, verb, { by } = {}) => {
      requireUuid(uuid);
      const kept = [...read(uuid)].filter(([other]) => other !== opposites[verb]);
      requests.set(uuid, new Map([...kept, [verb, toName(by)]]));
    },
    read: async (uuid) => [...read(uuid).keys()],
    list: async () =>
      [...requests].flatMap(([uuid, verbs]) => [...verbs].map(([verb, by]) => ({ uuid, verb, by }))),
    remove: async (uuid, verbs) => {
      requireUuid(uuid);
      requests.set(uuid, new Map([...read(uuid)].filter(([verb]) => !verbs.includes(verb))));
    },
  };
}

function createPauseSignal(beside: MemoryPlace['beside'], now: () => number): PauseSignal {
  return {
    location: 'memory, the pause signal',
    isSet: async () => beside.pause !== null,
    read: async () => beside.pause,
    set: async ({ by } = {}) => {
      beside.pause ??= { at: now(), by: toName(by) };
    },
    clear: async () => {
      beside.pause = null;
    },
  };
}

function createNotes(notes: Map<string, Json>): StorageNotes {
  const read = (name: string) => copyJson(notes.get(requireNoteName(name)) ?? null);
  const write = (name: string, value: Json) => void notes.set(requireNoteName(name), copyJson(value));
  return {
    read: async (name) => read(name),
    write: async (name, value) => write(name, value),
    change: async (name, change) => write(name, change(read(name))),
    locate: (name) => `memory, note ${requireNoteName(name)}`,
  };
}

function createSpending(
  book: SpendingBook,
  { owner, now }: { readonly owner: Ownership; readonly now: () => number },
): SpendingLedger {
  return createBookLedger({
    ...{ owner, now },
    use: (work) =>
      owner.guard(async () => {
        book.settleAbandoned((other) => other !== owner.number);
        return work(book, async (line) => book.apply(line));
      }),
  });
}

/** Kept for whoever acquired this storage last. */
function createSnapshots(
  { beside: { snapshots }, runs }: MemoryPlace,
  readOwner: () => Ownership | null,
): StorageSnapshots {
  return {
    keep: async (uuid, { about, bundle }) => {
      requireUuid(uuid);
      if (runs.get(uuid)?.place === 'running') requireMember(readOwner());
      const kept = bundle ?? snapshots.get(uuid)?.bundle ?? null;
      snapshots.set(uuid, { about: copyJson(about), bundle: kept && Uint8Array.from(kept) });
    },
    read: async (uuid) => {
      requireUuid(uuid);
      return snapshots.get(uuid) ?? null;
    },
    remove: async (uuid) => void snapshots.delete(uuid),
  };
}

function requireMember(owner: Ownership | null): void {
  if (owner === null) throw new ContextStoreError('This storage was not acquired.', { code: 'owned' });
  owner.requireOwned();
}

function createUpkeep({ runs, beside }: MemoryPlace, now: () => number): StorageUpkeep {
  const isEnded = ({ place }: MemoryRun) => place === 'completed';
  const remove = (removed: readonly MemoryRun[]) => {
    const uuids = removed.map(({ metadata }) => metadata.uuid);
    for (const uuid of uuids) {
      runs.delete(uuid);
      beside.snapshots.delete(uuid);
    }
    return uuids;
  };
  const isOf =
    ({ taskKeyHash, host }: TaskReference) =>
    ({ metadata }: MemoryRun) =>
      metadata.taskKeyHash === taskKeyHash && metadata.host === host;
  return {
    cleanUp: async ({ keepDays }) => {
      const first = toFirstKeptDay(now(), keepDays);
      const isOver = ({ outcome, metadata }: MemoryRun) =>
        (outcome?.finishedAt ?? metadata.createdAt) < first;
      return remove([...runs.values()].filter(isEnded).filter(isOver));
    },
    purge: async (task) => {
      const found = [...runs.values()].filter(isOf(task));
      const kept = found.filter((run) => !isEnded(run)).map(({ metadata }) => metadata.uuid);
      return { removed: remove(found.filter(isEnded)), kept };
    },
    rebuildIndex: async () => [...runs.values()].filter(isEnded).length,
    verify: async () => ({ checked: 0, faults: [] }),
  };
}
