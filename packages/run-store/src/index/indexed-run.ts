import type { JsonObject } from '../run-model.ts';

/** Names a task: the hash does not contain the host, so both have to match (decision C7). */
export interface TaskReference {
  /** SHA-256 of the task's canonical text, in hexadecimal. */
  readonly taskKeyHash: string;
  /** Host of the platform, such as `github.com`. */
  readonly host: string;
}

/** A run that ended, as the index keeps it: the columns of the seeds' `tasks`. @see seed 002 §3.3 */
export interface IndexedRun extends TaskReference {
  readonly uuid: string;
  /** The task as the seeds write it: `{ type, owner, repo, number }` or alike. */
  readonly taskKey: JsonObject;
  readonly taskKeyText: string;
  readonly status: 'completed' | 'failed' | 'stopped';
  /** Whether the status was concluded from the summaries, because no outcome was written (decision C21). */
  readonly statusInferred: boolean;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** ISO 8601, UTC; null when nothing says when the run ended. */
  readonly completedAt: string | null;
  readonly processId: number;
  readonly hostname: string;
  readonly user: string | null;
  readonly llmProvider: string | null;
  readonly model: string | null;
  readonly contextLength: number | null;
  readonly llmCallCount: number;
  readonly toolCallCount: number;
  readonly totalTokens: number;
  /** Lines of `summaries.jsonl`, the final summary's included. */
  readonly compressionCount: number;
  readonly errorMessage: string | null;
  readonly inheritedFromUuid: string | null;
  /** 0 for a run that took nothing over. */
  readonly inheritanceDepth: number;
  /** Runs that ended before this moment are not inherited from by later ones; null without `/fresh-start`. */
  readonly inheritanceBarrierAt: string | null;
  /**
   * The last readable line of `summaries.jsonl`, in its own snake_case. Kept for the newest run of a host only; null
   * for the others, for a run without summaries, and for one whose line is longer than 64 KiB: read the file then.
   */
  readonly finalSummary: JsonObject | null;
}

/** Where the runs of a task that ended are kept, by the task's key. @see decision X12 */
export interface TaskIndex {
  /**
   * The 50 newest runs of one task, newest first; empty when there are none.
   * @throws {ContextStoreError} when the index could not be asked: that is not the same as "none"
   */
  readonly find: (task: TaskReference) => Promise<readonly IndexedRun[]>;
  /** Adds the run, or replaces what is known of it. Resolves once it is on the disk. */
  readonly put: (run: IndexedRun) => Promise<void>;
  /** Forgets one run; does nothing when it is not there. */
  readonly remove: (task: TaskReference, uuid: string) => Promise<void>;
}
