import type { ReadLine } from './timeline-entry.ts';

/** Time that a run was paused or waited. */
export interface PauseTimes {
  /** Milliseconds since 1970 at which its pause began; null while it is not paused. */
  readonly pausedAt: number | null;
  /** Milliseconds of the pauses that are over. */
  readonly pausedMs: number;
}

export const noPauses: PauseTimes = { pausedAt: null, pausedMs: 0 };

/** Adds a line of the record. */
export function afterPauses(pauses: PauseTimes, { fact, at }: ReadLine): PauseTimes {
  const { pausedAt, pausedMs } = pauses;
  if (fact === 'paused') return { pausedMs, pausedAt: pausedAt ?? at };
  if (pausedAt === null || (fact !== 'resumed' && fact !== 'ended')) return pauses;
  return { pausedAt: null, pausedMs: pausedMs + Math.max(0, at - pausedAt) };
}
