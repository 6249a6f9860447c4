import type { TaskReference } from '@agent/platforms';
import { checkValue, expectNumber } from '@agent/text/options';
import { toTimeMs } from '../disk/stored-values.ts';
import type { IndexStatus } from '../outcome.ts';
import type { JsonObject, RunMetadata } from '../run-model.ts';

/** A run that ended, as the index keeps it: the columns of the seeds' `tasks`. @see seed 002 §3.3 */
export interface IndexedRun extends Omit<RunMetadata, 'config' | 'extra'> {
  readonly status: IndexStatus;
  /** True when the status was concluded from the summaries, because no outcome was written (decision C21). */
  readonly statusInferred: boolean;
  /** ISO 8601, UTC; null when nothing says when the run ended. */
  readonly completedAt: string | null;
  readonly llmProvider: string | null;
  readonly model: string | null;
  readonly contextLength: number | null;
  readonly llmCallCount: number;
  readonly toolCallCount: number;
  readonly totalTokens: number;
  /** Lines of `summaries.jsonl`, the final summary's included. */
  readonly compressionCount: number;
  readonly errorMessage: string | null;
  /** Runs that ended before this moment are not inherited from by later ones; null without `/fresh-start`. */
  readonly inheritanceBarrierAt: string | null;
  /**
   * The last readable line of `summaries.jsonl`, in its own snake_case. Kept for the newest run of a host only; null
   * for the others, for a run without summaries, and for one whose line is longer than 64 KiB: read the file then.
   */
  readonly finalSummary: JsonObject | null;
}

/** Index of the runs that ended, by their task's key. @see decision X12 */
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

const maxRuns = 50;

const maxSummaryChars = 64 * 1024;

const dayMs = 24 * 60 * 60 * 1_000;

/** The first day, `YYYY-MM-DD`, whose runs are kept: by whole days, as the day of an end is what was promised. */
export function toFirstKeptDay(nowMs: number, keepDays: number): string {
  checkValue('keepDays', keepDays, expectNumber(0));
  return new Date(nowMs - keepDays * dayMs).toISOString().slice(0, 10);
}

/** The runs with others added or replaced: newest first, the 50 newest, a summary only for the newest of a host. */
export function addRuns(runs: readonly IndexedRun[], added: Iterable<IndexedRun>): readonly IndexedRun[] {
  const byUuid = new Map(runs.map((run) => [run.uuid, run]));
  for (const run of added) byUuid.set(run.uuid, run);
  return keepNewestSummaries([...byUuid.values()].toSorted(compareNewestFirst).slice(0, maxRuns));
}

/** A run whose end is unknown comes last: nothing says that it is recent. */
function compareNewestFirst(one: IndexedRun, other: IndexedRun): number {
  const [a, b] = [toTimeMs(one.completedAt), toTimeMs(other.completedAt)];
  if (a !== b) return b - a;
  const created = toTimeMs(other.createdAt) - toTimeMs(one.createdAt);
  return created === 0 ? (one.uuid < other.uuid ? -1 : 1) : created;
}

function keepNewestSummaries(runs: readonly IndexedRun[]): readonly IndexedRun[] {
  const hosts = new Set<string>();
  return runs.map((run) => {
    const isNewest = !hosts.has(run.host);
    hosts.add(run.host);
    if (run.finalSummary === null || (isNewest && isShort(run.finalSummary))) return run;
    return { ...run, finalSummary: null };
  });
}

function isShort(summary: object): boolean {
  return JSON.stringify(summary).length <= maxSummaryChars;
}
