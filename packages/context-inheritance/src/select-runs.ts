import { type Locale, type Logger, toErrorMessage } from '@agent/text';
import type { RetractedDecision } from './decisions/decision.ts';
import { shortenUuid } from './format-values.ts';
import type { PreviousRun, SkipReason } from './model.ts';
import { inheritanceTexts } from './texts.ts';

const millisecondsPerDay = 86_400_000;

/** Rules on the runs that may be inherited from. */
export interface SelectionRules {
  readonly taskKeyHash: string;
  readonly host: string;
  readonly now: Date;
  /** Days since a run's end, this many included. */
  readonly expiryDays: number;
  readonly includeFailed: boolean;
}

export type RefusalReason = 'other-task' | 'status' | 'no-end' | 'expired' | 'before-fresh-start';

/** A run that can be inherited from: it has ended. */
export type EligibleRun = PreviousRun & { readonly completedAt: string };

export interface RunSelection {
  /** The latest end first. */
  readonly eligible: readonly EligibleRun[];
  readonly refused: readonly { readonly uuid: string; readonly reason: RefusalReason }[];
}

/**
 * Tells runs that may be inherited from others. A run whose end lies in the future, because a clock ran backwards, may.
 * @see seed 002 §2.1, §2.3, decisions C6, C7, C8, C9
 */
export function selectRuns(runs: readonly PreviousRun[], rules: SelectionRules): RunSelection {
  const own = runs.filter((run) => isSameTask(run, rules));
  const barrier = findBarrier(own);
  const eligible: EligibleRun[] = [];
  const refused: { uuid: string; reason: RefusalReason }[] = [];
  for (const run of runs) {
    const reason = findReason(run, rules, barrier);
    if (reason === null && run.completedAt !== null) eligible.push({ ...run, completedAt: run.completedAt });
    else refused.push({ uuid: run.uuid, reason: reason ?? 'no-end' });
  }
  return { eligible: eligible.toSorted(byEnd), refused };
}

/** Finds the end of the task's last run, whatever became of it; null when none has ended. Commands count from there on. */
export function findLastEnd(
  runs: readonly PreviousRun[],
  task: Pick<SelectionRules, 'taskKeyHash' | 'host'>,
) {
  const ends = runs.filter((run) => isSameTask(run, task)).map(({ completedAt }) => completedAt);
  const times = ends.map((end) => (end === null ? Number.NaN : Date.parse(end))).filter(Number.isFinite);
  return times.length === 0 ? null : new Date(Math.max(...times)).toISOString();
}

function isSameTask(run: PreviousRun, { taskKeyHash, host }: Pick<SelectionRules, 'taskKeyHash' | 'host'>) {
  return run.taskKeyHash === taskKeyHash && run.host === host;
}

interface Barrier {
  readonly at: number;
  readonly runUuid: string;
}

function findBarrier(runs: readonly PreviousRun[]): Barrier | null {
  let found: Barrier | null = null;
  for (const { uuid, inheritanceBarrierAt } of runs) {
    const at = inheritanceBarrierAt === null ? Number.NaN : Date.parse(inheritanceBarrierAt);
    if (at > (found?.at ?? Number.NEGATIVE_INFINITY)) found = { at, runUuid: uuid };
  }
  return found;
}

function findReason(run: PreviousRun, rules: SelectionRules, barrier: Barrier | null): RefusalReason | null {
  if (!isSameTask(run, rules)) return 'other-task';
  const isWanted =
    run.status === 'completed' ||
    run.status === 'stopped' ||
    (run.status === 'failed' && rules.includeFailed);
  if (!isWanted) return 'status';
  const end = run.completedAt === null ? Number.NaN : Date.parse(run.completedAt);
  if (!Number.isFinite(end)) return 'no-end';
  if (rules.now.getTime() - end > rules.expiryDays * millisecondsPerDay) return 'expired';
  // The run that was told to start afresh is itself not left behind, whatever its clock did.
  const isBehind = barrier !== null && run.uuid !== barrier.runUuid && end <= barrier.at;
  return isBehind ? 'before-fresh-start' : null;
}

function byEnd(one: EligibleRun, other: EligibleRun): number {
  const difference = Date.parse(other.completedAt) - Date.parse(one.completedAt);
  return difference === 0 ? other.createdAt.localeCompare(one.createdAt) : difference;
}

/** Log lines of inheritance: none without a logger, and never a summary's text. */
export interface InheritanceLog {
  readonly searching: (task: string) => void;
  readonly filtered: (selection: RunSelection) => void;
  readonly detected: (count: number, task: string) => void;
  readonly used: (values: { uuid: string; depth: number; tokens: number }) => void;
  readonly skipped: (uuid: string, reason: SkipReason, err?: unknown) => void;
  readonly retracted: (decisions: readonly RetractedDecision[]) => void;
  readonly damagedLines: (uuid: string, count: number) => void;
  readonly searchFailed: (task: string, err: unknown) => void;
}

/** @see seed 002 §12.1 */
export function createInheritanceLog(logger: Logger | null, locale: Locale): InheritanceLog {
  const texts = inheritanceTexts[locale].log;
  return {
    searching: (task) => logger?.debug({ task }, texts.searching(task)),
    filtered: ({ eligible, refused }) => {
      const counts = { eligible: eligible.length, found: eligible.length + refused.length };
      logger?.debug({ refused, ...counts }, texts.filtered(counts.eligible, counts.found));
    },
    detected: (count, task) => logger?.info({ task, count }, texts.detected(count, task)),
    used: ({ uuid, depth, tokens }) =>
      logger?.info({ uuid, depth, tokens }, texts.used(shortenUuid(uuid), depth, tokens)),
    skipped: (uuid, reason, err) =>
      logger?.warn(
        { uuid, reason, ...(err === undefined ? {} : { err }) },
        texts.skipped(shortenUuid(uuid), reason),
      ),
    retracted: (decisions) => {
      for (const { runUuid, source, reason } of decisions) {
        const commentId = source.kind === 'comment' ? source.commentId : null;
        const line = texts.retracted(shortenUuid(runUuid), commentId, reason === 'deleted');
        logger?.warn({ uuid: runUuid, commentId, reason }, line);
      }
    },
    damagedLines: (uuid, count) => {
      if (count > 0) logger?.warn({ uuid, count }, texts.damagedLines(shortenUuid(uuid), count));
    },
    searchFailed: (task, err) => logger?.error({ task, err }, texts.searchFailed(task, toErrorMessage(err))),
  };
}
