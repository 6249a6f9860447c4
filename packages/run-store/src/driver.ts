import type { NewFact, RecordFollower } from './journal/journal-writer.ts';
import type { LoadedRecord, ProjectedFiles } from './journal/record-reading.ts';
import type { RunState } from './ports.ts';
import type { BrokenLine } from './record/read-record.ts';
import type { RecordWriter } from './record/record-writer.ts';
import type { KnownFacts } from './record/run-facts.ts';
import type { RecordSource } from './record/run-record.ts';
import type { DamagedRun, Json, RunMetadata, RunPlace } from './run-model.ts';

/**
 * A medium that stores runs, such as directories or the tables of a database. `createRunStore` implements every rule of a
 * store on top of it: what a run is, when it may be written to, how it is paused, resumed and finished.
 *
 * A run is in one place at a time. Its record is a chain of lines that only grows at its end, or is cut.
 */
export interface RunDriver {
  /** The place of such runs in words for people: a path. */
  readonly locate: (place: RunPlace) => string;
  /**
   * Finds a run; null if there is no such run.
   * @throws {ContextStoreError} `owned` if this process may not write any more
   */
  readonly find: (uuid: string) => Promise<RunHandle | null>;
  /**
   * Creates a run with its first line, whole or not at all; null if there is a run of this uuid in any place.
   * @throws {ContextStoreError} `owned` if it has to be alone and another run is at work on its thread
   */
  readonly create: (run: NewRecord) => Promise<TakenRun | null>;
  /** Moves a run to `running`, and lets only the caller write to it. */
  readonly take: (uuid: string, from: Exclude<RunPlace, 'completed'>) => Promise<TakenRun>;
  /** Moves a run that was taken, durably; a crash leaves it in one of the two places. */
  readonly move: (run: TakenRun, to: Exclude<RunPlace, 'running'>) => Promise<void>;
  /** Lists the runs in a place. A run that cannot be read does not hide the others. */
  readonly list: (place: Exclude<RunPlace, 'completed'>) => Promise<ListedRuns>;
  /** Opens the named values of a run. */
  readonly openState: (uuid: string, options: DriverStateOptions) => RunState;
  /** Stores what the index says of a run that ended; does nothing for a run that was put away while it was paused. */
  readonly index: (run: KnownFacts) => Promise<void>;
  /** Writes again what is derived from the record of a run that is not open. Default: nothing is derived. */
  readonly project?: ((uuid: string) => Promise<void>) | undefined;
  /** Removes what a crash left of runs that were being created. Default: nothing can be left. */
  readonly sweep?: (() => Promise<void>) | undefined;
}

/** A run in its place, which is not open. */
export interface RunHandle {
  readonly place: RunPlace;
  /** Its path while it is paused, as `task_state.json` stores it. */
  readonly contextPath: string;
  readonly record: RecordSource;
  /**
   * Reads its facts, wherever it is by then.
   * @throws {ContextStoreError} `damaged` if it cannot be read
   */
  readonly readFacts: () => Promise<KnownFacts>;
  /** Appends a fact to its record, durably, wherever it is by then. */
  readonly append: (fact: NewFact) => Promise<void>;
}

/** A run that is created. */
export interface NewRecord {
  readonly metadata: RunMetadata;
  /** Text of its first line, before it is sealed. */
  readonly body: string;
  /** True to create it only if no other run of its thread is at work. */
  readonly alone: boolean;
}

/** A run that only its holder writes to. Each write fails with `owned` once another opening has taken the run. */
export interface TakenRun {
  readonly uuid: string;
  /** Its place in words for people: a path. */
  readonly location: string;
  readonly record: RecordSource;
  /** Drops a torn last line, then appends this fact, durably. For a record that is not read yet. Null appends nothing. */
  readonly begin: (fact: NewFact | null) => Promise<void>;
  /** Cuts the record before its first broken line, stores what was there, and appends a fact about the damage. */
  readonly cut: (broken: BrokenLine, states: ReadonlyMap<string, unknown>) => Promise<void>;
  /** Finds lines that the end of the record has lost; resolves with the data of a fact about them, or null. Default null. */
  readonly findLost?: ((loaded: LoadedRecord<unknown>) => Promise<Json>) | undefined;
  /** Opens what appends behind the end that was read. `follower` derives from the lines what is stored beside them. */
  readonly openWriter: (
    loaded: LoadedRecord<unknown>,
    projected: () => ProjectedFiles,
  ) => Promise<{ readonly record: RecordWriter; readonly follower: RecordFollower | null }>;
  /** Called when this process stops working on the run without moving it. */
  readonly release?: (() => void) | undefined;
}

/** What a list says of a run. */
export interface ListedRun extends Pick<KnownFacts, 'metadata' | 'outcome' | 'pause'> {
  /** Kinds of the open intents, in their order. */
  readonly openIntents: readonly string[];
}

/** Runs of a place, as far as they can be read. */
export interface ListedRuns {
  readonly found: readonly ListedRun[];
  readonly damaged: readonly DamagedRun[];
}

/** Options of `RunDriver.openState`. */
export interface DriverStateOptions {
  /** Appends a fact to the record, durably. */
  readonly append: (fact: NewFact) => Promise<void>;
  /** Tells whether the record may hold a value of this name, so that its removal has to be recorded. */
  readonly isKept: (name: string) => boolean;
  /** True for a run that is open: after a move, the values can only be reached where the run is then. */
  readonly isOpen: boolean;
}
