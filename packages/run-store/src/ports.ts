import type {
  DeliveredRevision,
  FactEntry,
  JournalEntry,
  JournalEvent,
  RunEnd,
  RunSummary,
} from './journal-model.ts';
import type { NewPause, PausedRun, TaskState } from './lines/task-state.ts';
import type {
  DamagedRun,
  FinalSummaryState,
  InterruptedRun,
  Json,
  NewFinalSummary,
  NewRun,
  RunMetadata,
} from './run-model.ts';

/** Options of reading a journal. */
export interface ReadJournalOptions {
  /** Names of the caller's facts that are read; other facts can be left out. Default all. */
  readonly facts?: readonly string[] | undefined;
}

/** Everything a run learns, appended as it happens. */
export interface RunJournal<Message> {
  /**
   * Resolves once the line is durable, with the number of the message, of the tool's line, or of the record's
   * line for a fact. Calls are carried out in their order.
   * @throws {ContextStoreError} `invalid` for what is no event; the journal goes on
   */
  readonly append: (event: JournalEvent<Message>) => Promise<number>;
  /** Messages, summaries and the caller's facts, in the order they were written. */
  readonly read: (options?: ReadJournalOptions) => AsyncIterable<JournalEntry<Message>>;
  /** Writes the summary, durably, then the projection of the model's context; the truth keeps every line. */
  readonly replaceContext: (messages: readonly Message[], summary: RunSummary) => Promise<void>;
  /**
   * Commits the end of the run, with the intents that follow from it, in one durable line; then writes the outcome beside it.
   * It is tried even after another write has failed, which may be what ended the run.
   */
  readonly finish: (end: RunEnd, options?: { readonly intents?: readonly NewIntent[] }) => Promise<void>;
}

/** Something that a run wants done outside of it, such as a comment or a label. */
export interface NewIntent {
  /** The caller's own; one for the run. */
  readonly id: string;
  readonly kind: string;
  readonly data: Json;
}

/** Result of an intent. */
export type IntentResult =
  | { readonly state: 'done' /** Names what it made, such as the id of a comment. */; readonly made: Json }
  | {
      readonly state: 'given-up';
      /** Names the person, or the rule. */
      readonly by: string;
      readonly reason: string;
    };

/** An intent with its state. Times are ISO 8601, UTC. */
export type OutboxEntry = NewIntent & { readonly openedAt: string } & (
    | { readonly state: 'open' }
    | (IntentResult & { readonly settledAt: string })
  );

/** Outward intents of a run: lines of its record. */
export interface Outbox {
  /** Resolves with the entry as it stands, once its line is synced; writes nothing where the id was opened before. */
  readonly open: (intent: NewIntent) => Promise<OutboxEntry>;
  /**
   * Resolves once the line is synced. The first result stands: a later one does nothing.
   * @throws {ContextStoreError} `invalid` for an id that was never opened
   */
  readonly settle: (id: string, result: IntentResult) => Promise<void>;
  /** All of them, in the order in which they were opened. */
  readonly list: () => Promise<readonly OutboxEntry[]>;
}

/** Place in the record of a run. */
export interface RecordPosition {
  /** Number of the last line; 0 for an empty record. */
  readonly line: number;
  /** Its check; '' for an empty record. */
  readonly check: string;
}

/** Damage of a record that was found when the run was opened; the record goes on from what stood before it. */
export interface RecordDamage {
  /** Number of the first line that was cut off. */
  readonly line: number;
  readonly reason: string;
  /** File beside the record that holds what was cut off; null where lines are gone without a trace. */
  readonly file: string | null;
  /** Contents of the lost lines, as far as they can be read: all of it may have happened. */
  readonly evidence: {
    /** Messages that are lost. */
    readonly messages: number;
    /** Calls of tools that were begun. */
    readonly tools: readonly { readonly tool: string; readonly toolCallId: string | null }[];
    /** Comments that the model was told. */
    readonly delivers: readonly DeliveredRevision[];
    /** Ids of intents that were done or given up. */
    readonly settled: readonly string[];
    /** Status of the end that was committed; else null. */
    readonly ended: string | null;
    /** The caller's own facts. */
    readonly facts: readonly FactEntry[];
  };
}

/** Number of the process that owns the directory of runs, and what keeps an earlier owner from writing. */
export interface RecordOwner {
  /** Grows with each takeover; stands in each line. */
  readonly number: number;
  /**
   * Carries a write out while nobody can take the directory over: takes the short lock, compares the number, then calls
   * `write`. Several at once are let in together.
   * @throws {ContextStoreError} `owned` when a higher number stands, or the lock files were exchanged: nothing was written
   */
  readonly guard: <Result>(write: () => Promise<Result>) => Promise<Result>;
}

/** Named values that the parts of an agent keep with a run. They last as long as the run does. */
export interface RunState {
  /**
   * A value as it was written; null when nothing was.
   * @throws {ContextStoreError} `damaged` when something is there that nobody wrote
   */
  readonly read: (name: string) => Promise<unknown>;
  /**
   * Replaces a value as a whole, in the order of the calls; null removes it. A name that ends in `.json` holds any JSON
   * value, another name a text. `sync` (default true) waits for the disk; false is for what can be lost or rebuilt.
   * @throws {ContextStoreError} `invalid` for a name that is not made of letters, digits and `_.~-` in at most four
   *   segments, or is the store's own, and for a value that could not be read back
   */
  readonly write: (name: string, value: unknown, options?: { readonly sync?: boolean }) => Promise<void>;
}

/** The last line of a run's summaries, for the runs that come after it. */
export interface FinalSummaries {
  /** Null for a run without messages, or with those of an earlier program, which cannot be read back. */
  readonly read: () => Promise<FinalSummaryState | null>;
  /**
   * Appends one, synced: it stands for every message that is there, and in the place of none, so that the conversation
   * can continue after it. Nothing else of the run may be written meanwhile. `now` is in milliseconds since 1970.
   */
  readonly append: (summary: NewFinalSummary, options: { readonly now: number }) => Promise<void>;
}

/** A run whose directory is in `running/`, ready to be written to. */
export interface OpenRun<Message> {
  readonly metadata: RunMetadata;
  /**
   * One per run at a time: two of them would number their lines alike. When the same store opens the run again, this
   * one takes its end only, and everything else rejects with `invalid`.
   */
  readonly journal: RunJournal<Message>;
  readonly state: RunState;
  readonly outbox: Outbox;
  /**
   * Damage of the record that was found, by this opening or an earlier one since which no message was written: to be
   * told before anything else happens. Null where there was none.
   */
  readonly damage: RecordDamage | null;
  /** Place of the last line that was written or found. */
  readonly position: () => RecordPosition;
  readonly finalSummary: FinalSummaries;
  /**
   * Processes in a row that have died with this run, without a step completed between them, this opening's
   * included; 0 for a run that begins. A process that left the run is not counted. @see decision X16
   */
  readonly crashesInARow: number;
  /**
   * Says that this process gives the run back in order, as a shutdown does: the next opening is not counted as a
   * crash. Does nothing for a run that is not in `running/` any more.
   */
  readonly leave: () => Promise<void>;
}

/** A run that is resumed after a pause. */
export interface ResumedRun<Message> extends OpenRun<Message> {
  readonly pause: TaskState;
}

/** A run that has ended, for what is added to it afterwards. */
export interface EndedRun<Message> {
  readonly metadata: RunMetadata;
  readonly journal: Pick<RunJournal<Message>, 'read'>;
  /** An append puts the run into the index again. */
  readonly finalSummary: FinalSummaries;
}

/** Runs that have not been put away, oldest first. */
export interface UnfinishedRuns {
  readonly runs: readonly InterruptedRun[];
  readonly damaged: readonly DamagedRun[];
  /**
   * Runs whose pause is committed but which a crash kept from being moved: not among `runs`, because they are not
   * to go on. Show the pause again and call `pause`, which moves them.
   */
  readonly pausing: readonly PausedRun[];
}

/** Runs that can be resumed, the longest paused first, and what cannot be read. */
export interface PausedList {
  readonly runs: readonly PausedRun[];
  readonly damaged: readonly DamagedRun[];
}

/** Options of `RunStore.open`. */
interface OpenRunOptions {
  /** True to make it only where no other run of its thread is at work: begun, neither ended nor paused. Default false. */
  readonly alone?: boolean | undefined;
}

/** Runs as directories: opened, found again after a crash, and moved when they end. */
export interface RunStore<Message> {
  /**
   * Makes the run's directory, or opens the one that is there already, whose metadata stay as they are.
   * @throws {ContextStoreError} `owned` where it is to be alone and another run is at work on the thread: nothing was written
   */
  readonly open: (run: NewRun, options?: OpenRunOptions) => Promise<OpenRun<Message>>;
  /** Opens an unfinished run again: torn last lines are dropped, projections rebuilt. */
  readonly restore: (uuid: string) => Promise<OpenRun<Message>>;
  /**
   * Everything in `running/`, oldest first. Removes directories that a crash left half made, so only the owner of
   * the directory may call it, and not while it opens a run.
   */
  readonly listInterrupted: () => Promise<UnfinishedRuns>;
  /**
   * Adds the run to `recent.jsonl`, and moves it to `completed/`; does nothing when it is there already. How it ended
   * is what `journal.finish` wrote before; a run put away without that has no status in lists, and later runs take it
   * over only if it left summaries.
   * @throws {ContextStoreError} `invalid` while an intent of the run is open: it stays in `running/`
   */
  readonly finish: (uuid: string) => Promise<void>;
}

/** Runs that wait for somebody to let them go on. Each function is safe to repeat after a crash. */
export interface PausedRuns<Message> {
  /**
   * Commits a pause: writes `task_state.json`, synced, and leaves the directory in `running/`, so that label and
   * comment can follow before the move, and be made up for after a crash. A pause that is committed stays as it is.
   * @throws {ContextStoreError} when it could not be saved: the run is not paused, and may go on
   */
  readonly commitPause: (uuid: string, pause: NewPause) => Promise<TaskState>;
  /** Commits the pause, if it is not yet, and moves the run to the paused ones. A failed move takes the pause back. */
  readonly pause: (uuid: string, pause: NewPause) => Promise<TaskState>;
  /** All runs that can be resumed, the longest paused first; the rest is reported and left. */
  readonly listPaused: () => Promise<PausedList>;
  /**
   * Moves the run back to `running/`, counts the resume and opens it.
   * @throws {ContextStoreError} `damaged` when it cannot be read: it stays among the paused ones
   */
  readonly resume: (uuid: string) => Promise<ResumedRun<Message>>;
}

/** Additions of the store's owner to runs that are not at work. */
export interface RestingRuns<Message> {
  /** The state of a run that waits or has ended, wherever it lies at the time of a read or a write. */
  readonly openState: (uuid: string) => RunState;
  /** The outbox of a run that waits or has ended, wherever it lies at the time of a read or a write. */
  readonly openOutbox: (uuid: string) => Outbox;
  /** @throws {ContextStoreError} `invalid` when no run of this uuid has ended */
  readonly openEnded: (uuid: string) => Promise<EndedRun<Message>>;
  /**
   * Puts a run that has ended into the index before it is put away, so that later runs inherit from it while something
   * of it is open; does nothing while it goes on.
   */
  readonly index: (uuid: string) => Promise<void>;
}

/** All that a store of runs does. */
export interface WholeRunStore<Message>
  extends RunStore<Message>,
    PausedRuns<Message>,
    RestingRuns<Message> {}

/** A directory of runs that this process owns, until it gives it back or loses it. */
export interface Ownership extends RecordOwner {
  /**
   * Compares the number without a lock, which costs microseconds: before anything that another owner must not do twice. A
   * promise where that has to be asked of somebody first, who may be away for a while.
   * @throws {ContextStoreError} as `guard`
   */
  readonly requireOwned: () => void | Promise<void>;
  /**
   * Resolves once everything that was written is where another machine would find it: before a write to a platform, and before a push.
   * Default: what was written is there already.
   * @throws {ContextStoreError} as `guard`
   */
  readonly requireStored?: (() => Promise<void>) | undefined;
  /** Aborted once the directory is lost, with the error as its reason. */
  readonly lost: AbortSignal;
  /** Gives the directory back, after the writes under way; does nothing the second time. */
  readonly release: () => Promise<void>;
}
