/** When the next look may be made. Times are milliseconds of a clock that never goes back. */
export interface PollSchedule {
  /** Checks that took their turn. */
  readonly turns: number;
  readonly lastRequestAt: number | null;
  /** Time of the last request at the finish barrier. */
  readonly lastBarrierAt: number | null;
  readonly notBefore: number;
  readonly failuresInARow: number;
}

export const newSchedule: PollSchedule = {
  turns: 0,
  lastRequestAt: null,
  lastBarrierAt: null,
  notBefore: 0,
  failuresInARow: 0,
};

/** Between two requests, in milliseconds. @see seed 001 §8.3 */
const minSpacingMs = 1000;
const maxBackoffMs = 60_000;

export interface PollQuestion {
  readonly now: number;
  /** Every how many checks a look is made, from 1. */
  readonly interval: number;
  /** A look at the finish barrier: whatever the interval, and spaced only from other looks at the barrier. */
  readonly barrier: boolean;
}

/**
 * Says whether this check makes a look. The first of every `interval` checks does; one that comes too early, or
 * while a failure is waited out, keeps its turn for the next check. Before a look at the barrier the spacing is
 * waited out, which counts from the barrier's own looks: an agent that answers at once is not kept for a second.
 */
export function shouldPoll(
  schedule: PollSchedule,
  { now, interval, barrier }: PollQuestion,
): { readonly schedule: PollSchedule; readonly isDue: boolean } {
  if (now < schedule.notBefore) return { schedule, isDue: false };
  if (barrier) return { schedule: { ...schedule, lastRequestAt: schedule.lastBarrierAt }, isDue: true };
  const isTurn = schedule.turns % interval === 0;
  if (isTurn && spacingLeft(schedule, now) > 0) return { schedule, isDue: false };
  return { schedule: { ...schedule, turns: schedule.turns + 1 }, isDue: isTurn };
}

/** Time that the next request has to wait, in milliseconds. */
export function spacingLeft({ lastRequestAt }: PollSchedule, now: number): number {
  return lastRequestAt === null ? 0 : Math.max(0, lastRequestAt + minSpacingMs - now);
}

/** After a request was made. */
export function afterRequest(
  schedule: PollSchedule,
  { now, barrier }: { readonly now: number; readonly barrier: boolean },
): PollSchedule {
  return { ...schedule, lastRequestAt: now, ...(barrier ? { lastBarrierAt: now } : {}) };
}

/** After a look that failed: 1, 2, 4 … 60 seconds, or longer where the platform asks for it. */
export function afterFailure(
  schedule: PollSchedule,
  { now, retryAfterMs }: { readonly now: number; readonly retryAfterMs: number | null },
): PollSchedule {
  const backoffMs = Math.min(1000 * 2 ** Math.min(schedule.failuresInARow, 6), maxBackoffMs);
  const notBefore = now + Math.max(backoffMs, retryAfterMs ?? 0);
  return { ...schedule, notBefore, failuresInARow: schedule.failuresInARow + 1 };
}

/** After a look that succeeded. */
export function afterSuccess(schedule: PollSchedule): PollSchedule {
  return { ...schedule, notBefore: 0, failuresInARow: 0 };
}

/** Time that an error asks to wait, whoever made it; null where it does not say. */
export function retryAfterOf(error: unknown): number | null {
  const value = (error as { readonly retryAfterMs?: unknown } | null | undefined)?.retryAfterMs;
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}
