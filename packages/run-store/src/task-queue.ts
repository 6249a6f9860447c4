import type { Logger } from '@agent/text';

/** An entry of a queue: data, of which one with the same key is in the queue at a time. */
export interface KeyedEntry {
  readonly key: string;
}

/**
 * Result of an entry. `done`: its key can be added again. `later`: the entry was interrupted, or could not run now. A queue that
 * processes share offers it again in any of them, after a pause that grows to a minute, or after `againAfterMs` milliseconds.
 */
export type WorkResult = 'done' | 'later' | { readonly againAfterMs: number };

/** Runs one entry, which could have begun `waitedMs` milliseconds ago. */
export type WorkOnEntry<Entry> = (entry: Entry, waited: { readonly waitedMs: number }) => Promise<WorkResult>;

/** Options of `TaskQueue.work`. */
export interface QueueWorkOptions {
  /** Ends the work: nothing more begins. */
  readonly signal: AbortSignal;
  /**
   * Ends the work as well when nothing waits that this process can begin and nothing runs here. In a queue that processes share, the
   * entries of a crashed process are run before. Default false.
   */
  readonly untilEmpty?: boolean | undefined;
}

/** Holds entries that wait, at most one of each key, and gives each to one worker. */
export interface TaskQueue<Entry extends KeyedEntry> {
  /** Resolves with `known` while an entry of this key waits, runs or is left for later. */
  readonly add: (entry: Entry) => Promise<'added' | 'known'>;
  /** Tells whether an entry of this key waits, runs or is left for later. */
  readonly knows: (key: string) => Promise<boolean>;
  /**
   * Runs entries: the highest priority first, then the first added. An entry whose `workOn` rejects is left for later. Resolves when the
   * work has ended and nothing runs in this process.
   */
  readonly work: (workOn: WorkOnEntry<Entry>, options: QueueWorkOptions) => Promise<void>;
  /** Lists the entries that can begin and have not, in the order in which they will; `since` in milliseconds since 1970. */
  readonly waiting: () => Promise<readonly (Entry & { readonly since: number })[]>;
  /**
   * Ends the work of this process; resolves when nothing runs in it. A queue that processes share keeps its waiting entries for the
   * others; another queue drops them.
   */
  readonly close: () => Promise<void>;
  /** Begins the entries that can begin. Call it when a reason to hold entries back is gone. */
  readonly beginWaiting: () => void;
}

/** Circumstances of an entry that is about to begin. */
export interface BesideEntry<Entry> {
  /** Entries that run in this process. */
  readonly running: readonly Entry[];
  /** True for an entry that a process has begun before, and returned or lost in a crash: it is no more work than there was. */
  readonly hasBegun: boolean;
}

/** Rules by which entries wait for each other. */
export interface EntryRules<Entry> {
  /** Returns the group of an entry, such as its repository. A free place goes to the group with the fewest running entries. */
  readonly toGroup: (entry: Entry) => string;
  /** A higher value begins first, below 1,000. An entry that has begun before goes first of all. Default 0 for all. */
  readonly toPriority?: ((entry: Entry) => number) | undefined;
  /** True for an entry that makes the entry of its key that was left for later begin now. Default for none. */
  readonly takesUp?: ((entry: Entry) => boolean) | undefined;
  /**
   * Called before an entry begins in this process. Returns the milliseconds after which it is called again; 0 if the entry can begin.
   * Other entries go first, and another process can take this one. It must change nothing, because it can be called twice.
   */
  readonly holdMs?: ((entry: Entry, beside: BesideEntry<Entry>) => number) | undefined;
}

/** Numbers of entries that can run at the same time, in all processes. Default of each: any number. */
export interface QueueLimits {
  readonly all?: number | undefined;
  /** Entries of one group, such as a repository. */
  readonly perGroup?: number | undefined;
}

/** Time of a queue, for tests. */
export interface QueueClock {
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** Resolves after this long, or as soon as the signal is aborted; at once if it was aborted before. Default a timer. */
  readonly sleep?: ((milliseconds: number, signal: AbortSignal) => Promise<void>) | undefined;
  /** From 0 to less than 1. Default `Math.random`. */
  readonly random?: (() => number) | undefined;
}

/** Options of a queue that processes share. */
export interface TaskQueueOptions<Entry extends KeyedEntry> extends QueueClock {
  /** Parses an entry that was stored; throws if it is not an entry. */
  readonly parseEntry: (json: unknown) => Entry;
  readonly rules: EntryRules<Entry>;
  /** Entries that this process runs at the same time; a function is called before each begins. */
  readonly concurrency: number | (() => number);
  /** Default any number. */
  readonly limits?: QueueLimits | undefined;
  /** Called before an entry begins: true while none must begin. Default never. */
  readonly isPaused?: (() => Promise<boolean>) | undefined;
  /** Silent by default. */
  readonly logger?: Logger | null | undefined;
}
