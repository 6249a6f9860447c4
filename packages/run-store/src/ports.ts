import type { JournalEntry, JournalEvent, RunEnd, RunSummary } from './journal-model.ts';
import type { DamagedRun, NewRun, RunMetadata, UnfinishedRun } from './run-model.ts';
import type { NewPause, PausedRun, TaskState } from './task-state.ts';

/** Everything a run learns, appended as it happens. */
export interface FileRunJournal<Message> {
  /**
   * Resolves with the line's number once the line is synced to disk. Calls are carried out in their order.
   * @throws {ContextStoreError} `invalid` for what is no event; the journal goes on
   */
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
  /**
   * One per run at a time: two of them would number their lines alike. When the same store opens the run again, this
   * one takes its end only, and everything else rejects with `invalid`.
   */
  readonly journal: FileRunJournal<Message>;
  /**
   * How many processes in a row have died with this run, without a step completed between them, this opening's
   * included; 0 for a run that begins. A process that left the run is not counted. @see decision X16
   */
  readonly crashesInARow: number;
  /**
   * Says that this process gives the run back in order, as a shutdown does: the next opening is not counted as a
   * crash. Does nothing for a run that is not in `running/` any more.
   */
  readonly leave: () => Promise<void>;
}

/** A run that goes on after a pause. */
export interface ResumedRun<Message> extends OpenRun<Message> {
  readonly state: TaskState;
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
    /**
     * Runs whose pause is committed but which a crash kept from being moved: not among `runs`, because they are not
     * to go on. Show the pause again and call `pause`, which moves them.
     */
    readonly pausing: readonly PausedRun[];
  }>;
  /**
   * Adds the run to `recent.jsonl`, and moves it to `completed/`; does nothing when it is there already. How it ended
   * is what `journal.finish` wrote before; a run put away without that has no status in lists, and later runs take it
   * over only if it left summaries.
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
  readonly listPaused: () => Promise<{
    readonly runs: readonly PausedRun[];
    readonly damaged: readonly DamagedRun[];
  }>;
  /**
   * Moves the run back to `running/`, counts the resume and opens it.
   * @throws {ContextStoreError} `damaged` when it cannot be read: it stays among the paused ones
   */
  readonly resume: (uuid: string) => Promise<ResumedRun<Message>>;
}
