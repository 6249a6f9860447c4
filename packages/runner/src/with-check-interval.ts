import type { RunSignals } from './ports.ts';

/** Interval at which signals are asked for. */
export interface CheckIntervalOptions {
  /** Asks at the first checkpoint and then at every n-th. Default 1; 0 never asks. */
  readonly everyNthCall?: number | undefined;
  /** Milliseconds that must have passed since the last time it was asked. Default 0. */
  readonly minIntervalMs?: number | undefined;
  /** Milliseconds; only differences are used. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/**
 * Asks a source only as often as it should be; in between it says nothing. A source that failed was asked: it is
 * asked again when its time has come.
 * @see spec TASK_STOP (`check_interval`, `min_check_interval_seconds`)
 */
export function withCheckInterval(signals: RunSignals, options: CheckIntervalOptions = {}): RunSignals {
  const { everyNthCall = 1, minIntervalMs = 0, now = Date.now } = options;
  let calls = 0;
  let askedAt = Number.NEGATIVE_INFINITY;
  return {
    read: async (callOptions) => {
      if (everyNthCall <= 0) return 'none';
      calls += 1;
      const isDue = (calls - 1) % everyNthCall === 0 && now() - askedAt >= minIntervalMs;
      if (!isDue) return 'none';
      askedAt = now();
      return signals.read(callOptions);
    },
  };
}
