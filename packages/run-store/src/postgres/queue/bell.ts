import { setTimeout as wait } from 'node:timers/promises';

/** Resolves after this long, or as soon as the signal is aborted. */
export type SleepUntil = (milliseconds: number, signal: AbortSignal) => Promise<void>;

/** Sleeps by a timer. */
export const sleepUntil: SleepUntil = (milliseconds, signal) =>
  wait(milliseconds, undefined, { signal }).catch(() => undefined);

/** Wakes who waits. */
export interface Bell {
  /** Ends the wait under way, or the next one. */
  readonly ring: () => void;
  readonly wait: SleepUntil;
}

/** Creates a bell that waits by this sleep. */
export function createBell(sleep: SleepUntil): Bell {
  let hasRung = false;
  let wake = (): void => {};
  return {
    ring: () => {
      hasRung = true;
      wake();
    },
    wait: async (milliseconds, signal) => {
      const woken = new AbortController();
      const end = (): void => woken.abort();
      wake = end;
      signal.addEventListener('abort', end, { once: true });
      if (!hasRung && !signal.aborted) await sleep(milliseconds, woken.signal);
      signal.removeEventListener('abort', end);
      hasRung = false;
    },
  };
}

/** Processes that are told of the same entry ask for it at different times within this: after the first, nothing waits for the others. */
const spreadMs = 25;

interface SpreadOptions {
  /** From 0 to less than 1. */
  readonly random: () => number;
  readonly sleep: SleepUntil;
  /** Ends the wait: it rings at once. */
  readonly signal: AbortSignal;
}

/** Makes what rings a moment after it was called; calls within that moment are one. */
export function spreadRings(ring: () => void, { random, sleep, signal }: SpreadOptions): () => void {
  let isDue = false;
  const ringOnce = (): void => {
    isDue = false;
    ring();
  };
  return () => {
    if (isDue) return;
    isDue = true;
    const afterMs = Math.floor(random() * spreadMs);
    if (afterMs === 0) ringOnce();
    else void sleep(afterMs, signal).then(ringOnce);
  };
}
