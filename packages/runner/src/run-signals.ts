import { isProgrammingError, type Logger } from '@agent/text';
import { checkOptions, checkValue, expected, expectNumber, expectPort } from '@agent/text/options';
import type { RunSignal, RunSignals } from './ports.ts';

interface CombineSignalsOptions {
  /** Hears of a source that could not be asked. Silent by default. */
  readonly logger?: Logger | null | undefined;
}

/**
 * Several sources as one. They are asked in their order, so put the cheap ones first: after a pause, which wins,
 * the others are not asked. A source that fails has said nothing, and keeps no other from being heard; a programming error rejects.
 *
 * @example
 * const signals = combineSignals([pauseFile, withCheckInterval(assignment, { everyNthCall: 5 })], { logger });
 */
export function combineSignals(
  sources: readonly RunSignals[],
  { logger = null }: CombineSignalsOptions = {},
): RunSignals {
  return {
    read: async (options) => {
      const signals: RunSignal[] = [];
      for (const [index, source] of sources.entries()) {
        try {
          signals.push(await source.read(options));
        } catch (err) {
          if (options.signal?.aborted || isProgrammingError(err)) throw err;
          logger?.warn({ err, source: index }, 'failed to check for pause or stop');
        }
        if (strongestSignal(signals) === 'pause') break;
      }
      return strongestSignal(signals);
    },
  };
}

/** Chooses among several answers: a pause wins over a stop, and either over nothing. @see scenario S8 of PAUSE_RESUME */
export function strongestSignal(signals: readonly RunSignal[]): RunSignal {
  if (signals.includes('pause')) return 'pause';
  return signals.includes('stop') ? 'stop' : 'none';
}

/** Interval at which signals are asked for. */
export interface CheckIntervalOptions {
  /** Asks at the first checkpoint and then at every n-th. Default 1; 0 never asks. */
  readonly everyNthCall?: number | undefined;
  /** Milliseconds that must have passed since the last time it was asked. Default 0. */
  readonly minIntervalMs?: number | undefined;
  /** Returns true if the source is to be asked at this checkpoint whatever the interval, e.g. after a webhook. Default never. */
  readonly isNotified?: (() => boolean) | undefined;
  /** Milliseconds; only differences are used. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/**
 * Asks a source only as often as it should be; in between it says nothing. A source that failed was asked: it is
 * asked again when its time has come.
 * @see spec TASK_STOP (`check_interval`, `min_check_interval_seconds`)
 */
export function withCheckInterval(signals: RunSignals, options: CheckIntervalOptions = {}): RunSignals {
  checkValue('signals', signals, expectPort('read'));
  checkOptions('CheckIntervalOptions', options, {
    everyNthCall: expectNumber(0, { isWhole: true }),
    minIntervalMs: expectNumber(0),
    isNotified: expected.function,
    now: expected.function,
  });
  const { everyNthCall = 1, minIntervalMs = 0, isNotified = () => false, now = Date.now } = options;
  let calls = 0;
  let askedAt = Number.NEGATIVE_INFINITY;
  return {
    read: async (callOptions) => {
      if (everyNthCall === 0) return 'none';
      calls += 1;
      const isDue = (calls - 1) % everyNthCall === 0 && now() - askedAt >= minIntervalMs;
      if (!isNotified() && !isDue) return 'none';
      askedAt = now();
      return signals.read(callOptions);
    },
  };
}

/**
 * Reason to abort `hardSignal` with at a command of a user: the run ends as stopped or paused. Aborted with any other reason, it is
 * left as it is and resumes from its journal.
 *
 * @example
 * controller.abort(new RunInterruption('stop'));
 */
export class RunInterruption extends Error {
  readonly command: 'pause' | 'stop';

  constructor(command: 'pause' | 'stop') {
    super(`The run received the command to ${command}.`);
    this.name = 'RunInterruption';
    this.command = command;
  }
}

/** Finds the command with which a signal was aborted; null if there was none. */
export function findCommand(signal: AbortSignal | undefined): 'pause' | 'stop' | null {
  const reason: unknown = signal?.aborted === true ? signal.reason : null;
  return reason instanceof RunInterruption ? reason.command : null;
}
