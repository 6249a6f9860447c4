import type { JournalEntry, JournalEvent, RunEnd, RunSummary } from './journal-model.ts';
import type { DamagedRun, NewRun, RunMetadata, UnfinishedRun } from './run-model.ts';

/** What is said about repairs and damage; pino, its children and console all satisfy it. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Everything a run learns, appended as it happens. */
export interface FileRunJournal<Message> {
  /** Resolves with the line's number once the line is synced to disk. Calls are carried out in their order. */
  readonly append: (event: JournalEvent<Message>) => Promise<number>;
  /** Messages and summaries, in the order they were written. */
  readonly read: () => AsyncIterable<JournalEntry<Message>>;
  /** Writes the summary, synced, then the projection `current.jsonl`; the truth keeps every line. */
  readonly replaceContext: (messages: readonly Message[], summary: RunSummary) => Promise<void>;
  /**
   * Commits the end of the run: `outcome.json`, by temporary file, sync and rename. It is tried even after another
   * write has failed, which may be what ended the run.
   */
  readonly finish: (end: RunEnd) => Promise<void>;
}

/** A run whose directory is in `running/`, ready to be written to. */
export interface OpenRun<Message> {
  readonly metadata: RunMetadata;
  /** Absolute path of the run's directory while it is in `running/`. */
  readonly directory: string;
  /** One per run at a time: two of them would number their lines alike. */
  readonly journal: FileRunJournal<Message>;
}

/** Runs as directories: opened, found again after a crash, and moved when they end. */
export interface RunStore<Message> {
  /** Makes the run's directory, or opens the one that is there already, whose metadata stay as they are. */
  readonly open: (run: NewRun) => Promise<OpenRun<Message>>;
  /** Opens an unfinished run again: torn last lines are dropped, projections rebuilt. */
  readonly restore: (uuid: string) => Promise<OpenRun<Message>>;
  /**
   * Everything in `running/`, oldest first. Removes directories that a crash left half made, so only the owner of
   * the directory may call it, and not while it opens a run.
   */
  readonly listUnfinished: () => Promise<{
    readonly runs: readonly UnfinishedRun[];
    readonly damaged: readonly DamagedRun[];
  }>;
  /** Moves the run to `completed/`; does nothing when it is there already. */
  readonly finish: (uuid: string) => Promise<void>;
}
