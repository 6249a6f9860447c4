import type { TaskReference } from '@agent/platforms';
import type { PauseSignal, RunControls } from './controls/run-controls.ts';
import type { TaskIndex } from './index/indexed-run.ts';
import type { PurgedTask } from './index/purge-task.ts';
import type { ChangeValue } from './journal/rewrite-record.ts';
import type { Json, MessageLike } from './journal-model.ts';
import type { Ownership, WholeRunStore } from './ports.ts';
import type { RecordLine } from './record/read-record.ts';
import type { RunPlace } from './run-model.ts';
import type { RunLines, RunReader } from './run-reader.ts';
import type { SpendingAccounts, SpendingLedger } from './spending/spending-ledger.ts';
import type { StorageWatch } from './storage-watch.ts';
import type { KeyedEntry, TaskQueue, TaskQueueOptions } from './task-queue.ts';

/**
 * A place where runs are kept, with all that is kept beside them. Files of a directory are one; nobody above this package
 * knows which it is. Nothing is read or written before it is asked for.
 *
 * @see docs/decisions/0046-many-hosts-share-a-database.md
 */
export interface RunStorage {
  /** The place in words for people: a path; or server, database and schema. */
  readonly location: string;
  /** Processes at work there. */
  readonly members: StorageMembers;
  /** Opens the runs for an owner. Each run that ends is put into the index of the place. */
  readonly openStore: <Message extends MessageLike>(
    options: OpenStoreOptions<Message>,
  ) => WholeRunStore<Message>;
  /** Opens the runs for any process, which need not own anything. */
  readonly openReader: <Message extends MessageLike>(
    options: Pick<OpenStoreOptions<Message>, 'parseMessage'>,
  ) => RunReader<Message>;
  /** Opens the ledger of what runs spend, for an owner: what it leaves open when it is gone counts as spent. */
  readonly openSpending: (options: { readonly owner: Ownership }) => SpendingLedger;
  /** Accounts of that ledger. Default none: nothing is shown of them, nor copied. */
  readonly accounts?: SpendingAccounts | undefined;
  readonly lines: RunLines;
  readonly controls: RunControls;
  readonly pauseSignal: PauseSignal;
  readonly index: StorageIndex;
  /** Work of an owner that keeps the place in order. */
  readonly upkeep: StorageUpkeep;
  readonly notes: StorageNotes;
  /** Work of runs that have not ended, for other machines. Default none: each run stays on its machine. */
  readonly snapshots?: StorageSnapshots | undefined;
  /** Copies of all that is kept, for another place. Default none: nothing can be copied from there, nor there. */
  readonly transfer?: StorageTransfer | undefined;
  /** Runs as they change. Default none: no picture of all of them can be kept. */
  readonly watch?: StorageWatch | undefined;
  readonly signals: StorageSignals;
  /** Work that the processes of a place share; null where one process has the place for itself. */
  readonly sharing: StorageSharing | null;
  readonly health: StorageHealth;
  /** Ends what is open; does nothing the second time. Owners release what they own before. */
  readonly close: () => Promise<void>;
}

/** Options of a store of runs in a place. */
export interface OpenStoreOptions<Message> {
  /** Its number stands in each line; see `StorageMembers`. */
  readonly owner: Ownership;
  /** Checks a message that comes back; throws for one that is none. */
  readonly parseMessage: (json: unknown) => Message;
}

/** Processes that work in a place. */
export interface StorageMembers {
  /**
   * Lets this process write there, under a number higher than any before.
   * @throws {ContextStoreError} `owned` where others work there and do not let it in
   */
  readonly acquire: (options?: AcquireOptions) => Promise<Ownership>;
  /** Lists who works there now. Changes nothing, and needs own nothing. */
  readonly list: () => Promise<readonly StorageMember[]>;
  /** Lists the processes that crashed within the last day, where a place remembers them. Default none. */
  readonly listGone?: (() => Promise<readonly StorageMember[]>) | undefined;
}

/** Options of `acquire`. */
export interface AcquireOptions {
  /** True for nobody beside: who works there loses the place. Default false; a directory has one owner in any case. */
  readonly exclusive?: boolean | undefined;
  /** Ends the waiting for an owner that may be gone. Default never. */
  readonly signal?: AbortSignal | undefined;
}

/** A process that works in a place. */
export interface StorageMember {
  /** As in its `Ownership`. */
  readonly number: number;
  /** Number of the process in its own namespace. */
  readonly pid: number;
  readonly host: string;
  /** Milliseconds since its last sign of life, by the clock of the place. */
  readonly silentMs: number;
}

/** Index of the runs that ended, as a place keeps it. */
export interface StorageIndex {
  /** Looks runs up for any process: repairs nothing. As `TaskIndex.find`. */
  readonly find: TaskIndex['find'];
  /** Opens the index for an owner; at the first call it is compared with the runs, and what is missing is added. */
  readonly open: () => Promise<Pick<TaskIndex, 'find' | 'remove'>>;
}

/** Work of an owner that keeps a place in order. Each function is safe to repeat. */
export interface StorageUpkeep {
  /** Removes runs that ended more than so many days ago, and says which. One that runs or is paused stays. */
  readonly cleanUp: (options: { readonly keepDays: number }) => Promise<readonly string[]>;
  /** Removes all that is kept of one task's runs that ended. */
  readonly purge: (task: TaskReference) => Promise<PurgedTask>;
  /** Builds the index anew from every run, and says of how many. */
  readonly rebuildIndex: () => Promise<number>;
  /** Verifies what is stored beside runs: index, lists, notes, accounts, requests. Changes nothing, and needs own nothing. */
  readonly verify: () => Promise<VerifiedRecords>;
}

/** Result of verifying records. */
export interface VerifiedRecords {
  /** Number of records. */
  readonly checked: number;
  /** Each names a file or a row, what is wrong with it and what to do. */
  readonly faults: readonly string[];
}

/**
 * Small JSON documents beside the runs, by names of small letters, digits and `-` in at most two segments, such as
 * `mentions/5f3a`. Names of the store's own are refused.
 */
export interface StorageNotes {
  /**
   * Null where there is none.
   * @throws {ContextStoreError} `damaged` when something is there that nobody wrote
   */
  readonly read: (name: string) => Promise<unknown>;
  /** Replaces a note as a whole; resolves once it is synced. Null removes it. */
  readonly write: (name: string, value: Json) => Promise<void>;
  /** Replaces a note by what is made of it, while nobody else changes it: `change` gets what `read` gives. */
  readonly change: (name: string, change: (value: unknown) => Json) => Promise<void>;
  /** Names the place of a note in words for people: a path. */
  readonly locate: (name: string) => string;
}

/** Files of runs that have not ended, by uuid: in the caller's own form, and as new as the last line that rests on them. */
export interface StorageSnapshots {
  /**
   * Replaces what is kept of a run; resolves once it is synced. A bundle of null leaves the one that is there.
   * @throws {ContextStoreError} `owned` when another process has taken the run over: nothing was written
   */
  readonly keep: (uuid: string, snapshot: KeptSnapshot) => Promise<void>;
  /** Null for a run of which nothing is kept. */
  readonly read: (uuid: string) => Promise<KeptSnapshot | null>;
  /** Removes what is kept of a run; does nothing where there is nothing. The end of a run's retention does the same. */
  readonly remove: (uuid: string) => Promise<void>;
}

/** Snapshot of a run's files. */
export interface KeptSnapshot {
  readonly about: Json;
  /** The files themselves; null for none. */
  readonly bundle: Uint8Array | null;
}

/** Copies of runs and names of notes, by whose help one place takes over what another one keeps. For the owner of the place. */
export interface StorageTransfer {
  /** Lists each run that is kept, with where it lies: those that ended first come first. */
  readonly listRuns: () => Promise<ReadonlyMap<string, RunPlace>>;
  readonly openRun: (uuid: string, place: RunPlace) => StoredRun;
  /** Puts a run there, whole or not at all, in the place of one of the same uuid. Its index is not written. */
  readonly writeRun: (run: TransferredRun) => Promise<void>;
  readonly listNotes: () => Promise<readonly string[]>;
}

/** A run as it is kept, wherever that is. */
export interface TransferredRun {
  readonly uuid: string;
  readonly place: RunPlace;
  /**
   * Reads the lines of its record, with their checks; changes nothing.
   * @throws {ContextStoreError} `damaged` for a line that is not as it was written
   */
  readonly readChain: () => AsyncIterable<readonly RecordLine[]>;
  /** Reads the values of its state by name, those that no line says, too. */
  readonly readStates: () => Promise<Readonly<Record<string, Json>>>;
}

/** A run in its place. */
export interface StoredRun extends TransferredRun {
  /**
   * Verifies its record from the first line to the last, and all that is stored with it, also beside a daemon. Each fault names a file or a row,
   * what is wrong with it and what to do.
   */
  readonly listFaults: () => Promise<readonly string[]>;
  /**
   * Changes everything that is stored of a run that has ended: lines of its record, lines that were cut off, values of its state, and what index
   * and lists say of it. A reader, or a crash, sees the old record or the new one; what a crash left is completed by the next call. For the
   * owner of the place.
   * @returns false if nothing changed, or the run has not ended
   * @throws {ContextStoreError} `damaged` for a record that cannot be read, or could not be read afterwards: nothing was written
   */
  readonly rewrite: (change: ChangeValue) => Promise<boolean>;
}

/**
 * Messages between the processes of a place; within this one where no other shares it. None is kept: it says where to look
 * now, and who misses it finds the same later.
 */
export interface StorageSignals {
  /** Small letters, digits and `_`. Resolves once it is on its way. */
  readonly publish: (channel: string, message: Json) => Promise<void>;
  /** Resolves with what ends it, once nothing that is published from now on is missed. */
  readonly subscribe: (channel: string, listener: SignalListener) => Promise<() => Promise<void>>;
}

/** Work that the processes of a place share. */
export interface StorageSharing {
  /** Opens the queue of the place, which gives each entry to one process. */
  readonly openQueue: <Entry extends KeyedEntry>(options: TaskQueueOptions<Entry>) => TaskQueue<Entry>;
  /** Takes part in the choice of the one process that does something, such as looking for tasks, until it resigns. */
  readonly lead: (name: string, options?: LeadOptions) => Leadership;
  /** Use that each process made of something that all share, such as the limits of a credential. */
  readonly use: StorageUse;
  /** Answers that each process had from something that all ask, such as a platform. */
  readonly answers: StorageAnswers;
}

/** Answers of others, for as long as they are used: none outlives a day without, or a crash of the server. What was used longest ago goes first. */
export interface StorageAnswers {
  /** Finds the answer that was kept last under a key, or null; without its content where it has the known tag. */
  readonly read: (
    key: string,
    options: { readonly knownTag: string | null },
  ) => Promise<{ readonly tag: string; readonly content: Uint8Array | null } | null>;
  /** Replaces the answer under a key. */
  readonly keep: (
    key: string,
    answer: { readonly tag: string; readonly content: Uint8Array },
  ) => Promise<void>;
}

/** Reports of the processes of a place, each of its own. None outlives an hour, or a crash of the server. */
export interface StorageUse {
  /**
   * Replaces this process's report under a key; resolves with the last ones of the others, none older than an hour, and how
   * many milliseconds ago by the clock of the place each was made. Doing it again changes nothing.
   */
  readonly exchange: (
    key: string,
    report: string,
  ) => Promise<readonly { readonly ageMs: number; readonly report: string }[]>;
}

/** Options of `StorageSharing.lead`. */
export interface LeadOptions {
  /** Called when this process has become the one. Default nothing. */
  readonly onLeading?: (() => void) | undefined;
  /** Called when it has heard that another is the one now. Default nothing. */
  readonly onFollowing?: (() => void) | undefined;
}

/** Part of a process in a choice. */
export interface Leadership {
  /** Tells whether this process is the one, after asking if it does not know. */
  readonly isLeading: () => Promise<boolean>;
  /** Lets another process be the one at once. */
  readonly resign: () => Promise<void>;
}

/** Listener of a channel. */
export interface SignalListener {
  readonly onMessage: (message: Json) => void;
  /** Messages may have been missed: all that they are about is to be looked at once. */
  readonly onGap: () => void;
}

/** Finds out whether a place can keep runs. */
export interface StorageHealth {
  /** Finds, in a moment, why runs cannot be kept just now. Never rejects. */
  readonly check: () => Promise<StorageCondition>;
  /**
   * Tries what keeping runs there takes, for whoever sets it up, and leaves nothing there. Facts by name, such as a version.
   * @throws {ContextStoreError} saying what stands in the way
   */
  readonly probe: () => Promise<Readonly<Record<string, string | number>>>;
}

/** State of what keeping runs rests on. */
export interface StorageCondition {
  readonly part: 'disk' | 'database';
  /** `waiting`: it is tried again without anybody's help. `failed`: somebody has to do something. */
  readonly state: 'ok' | 'waiting' | 'failed';
  /** Obstacle in words for people; null where it is `ok`. */
  readonly reason: string | null;
}
