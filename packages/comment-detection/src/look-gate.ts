/** When the next look may be made. Times are milliseconds of a clock that never goes back. */
export interface LookGate {
  /** Checks that took their turn. */
  readonly turns: number;
  readonly lastRequestAt: number | null;
  /** Of the finish barrier. */
  readonly lastBarrierAt: number | null;
  readonly notBefore: number;
  readonly failuresInARow: number;
}

export const openGate: LookGate = {
  turns: 0,
  lastRequestAt: null,
  lastBarrierAt: null,
  notBefore: 0,
  failuresInARow: 0,
};

/** Between two requests, in milliseconds. @see seed 001 §8.3 */
const minSpacingMs = 1000;
const maxBackoffMs = 60_000;

export interface GateQuestion {
  readonly now: number;
  /** Every how many checks a look is made, from 1. */
  readonly interval: number;
  /** A look at the finish barrier: whatever the interval, and spaced only from other looks at the barrier. */
  readonly barrier: boolean;
}

/**
 * Whether this check makes a look. The first of every `interval` checks does; one that comes too early, or
 * while a failure is waited out, keeps its turn for the next check. Before a look at the barrier the spacing is
 * waited out, which counts from the barrier's own looks: an agent that answers at once is not kept for a second.
 */
export function passGate(
  gate: LookGate,
  { now, interval, barrier }: GateQuestion,
): { readonly gate: LookGate; readonly look: boolean } {
  if (now < gate.notBefore) return { gate, look: false };
  if (barrier) return { gate: { ...gate, lastRequestAt: gate.lastBarrierAt }, look: true };
  const isTurn = gate.turns % interval === 0;
  if (isTurn && spacingLeft(gate, now) > 0) return { gate, look: false };
  return { gate: { ...gate, turns: gate.turns + 1 }, look: isTurn };
}

/** How long the next request has to wait, in milliseconds. */
export function spacingLeft({ lastRequestAt }: LookGate, now: number): number {
  return lastRequestAt === null ? 0 : Math.max(0, lastRequestAt + minSpacingMs - now);
}

/** After a request was made. */
export function toAskedGate(
  gate: LookGate,
  { now, barrier }: { readonly now: number; readonly barrier: boolean },
): LookGate {
  return { ...gate, lastRequestAt: now, ...(barrier ? { lastBarrierAt: now } : {}) };
}

/** After a look that failed: 1, 2, 4 … 60 seconds, or longer where the platform asks for it. */
export function toFailedGate(
  gate: LookGate,
  { now, retryAfterMs }: { readonly now: number; readonly retryAfterMs: number | null },
): LookGate {
  const backoffMs = Math.min(1000 * 2 ** Math.min(gate.failuresInARow, 6), maxBackoffMs);
  const notBefore = now + Math.max(backoffMs, retryAfterMs ?? 0);
  return { ...gate, notBefore, failuresInARow: gate.failuresInARow + 1 };
}

/** After a look that succeeded. */
export function toClearGate(gate: LookGate): LookGate {
  return { ...gate, notBefore: 0, failuresInARow: 0 };
}

/** How long an error asks to wait, whoever made it; null where it does not say. */
export function retryAfterOf(error: unknown): number | null {
  const value = (error as { readonly retryAfterMs?: unknown } | null | undefined)?.retryAfterMs;
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}
