import type { ConditionPart } from '../state/condition.ts';
import { ResponseTimes, type Slowness } from '../state/response-times.ts';
import type { BoardEvent, CallUnderWay, ObserveBoard } from './board-event.ts';

/** Options of `watchSlowness`. */
export interface WatchSlownessOptions {
  /** Receives the conditions of platforms and of the model. */
  readonly observe: ObserveBoard;
  /** Time limit of a call to the model, in milliseconds. */
  readonly stepTimeoutMs: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Finds out whether platforms and the model take long. */
export interface SlownessWatch {
  /** Receives the events of the work. */
  readonly observe: ObserveBoard;
  /** Updates the conditions. */
  readonly check: () => void;
}

/** Milliseconds for which a reason stays as it is while its figures change: each change is stored for all processes. */
const reasonMs = 60_000;

/** Opens it. Conditions change with `check` alone. */
export function watchSlowness({ observe, stepTimeoutMs, now }: WatchSlownessOptions): SlownessWatch {
  const times = new ResponseTimes();
  const calls = new LongCalls({ stepTimeoutMs });
  /** Time of the last report of each part that is slow. */
  const reportedAt = new Map<ConditionPart, number>();
  const report = (part: ConditionPart, slowness: Slowness | null): void => {
    const at = reportedAt.get(part);
    if (slowness === null) {
      if (reportedAt.delete(part)) observe({ type: 'condition', part, state: 'ok', reason: null });
      return;
    }
    if (at !== undefined && Math.abs(now() - at) < reasonMs) return;
    reportedAt.set(part, now());
    observe({ type: 'condition', part, state: 'waiting', ...slowness });
  };
  return {
    observe: (event) => {
      if (event.type === 'model-wait') {
        if (event.begins) calls.begin(event.call, now());
        else calls.end(event.call);
      }
      if (event.type === 'request' && isTimed(event)) times.add({ ...event, at: now() });
    },
    check: () => {
      for (const host of times.hosts) report(`response:${host}`, times.findSlow(host, now()));
      report('model-response', calls.findLong(now()));
    },
  };
}

/** A request that failed at once or was given up says nothing about the platform's speed. */
function isTimed({ status, error }: Extract<BoardEvent, { readonly type: 'request' }>): boolean {
  return status !== null || error === 'TimeoutError';
}

/**
 * Milliseconds after which a call to a model is long. An answer of a few thousand tokens arrives within a minute or two, also from a model
 * on a small machine: after three minutes the model is overloaded or hangs. A shorter time limit counts by its half.
 */
const longMs = 3 * 60_000;

/** Finds out which calls to the model take long. */
class LongCalls {
  readonly #longMs: number;
  readonly #startedAt = new Map<CallUnderWay, number>();

  constructor({ stepTimeoutMs }: { readonly stepTimeoutMs: number }) {
    this.#longMs = Math.min(longMs, stepTimeoutMs / 2);
  }

  /** `now`: milliseconds since 1970. */
  begin(call: CallUnderWay, now: number): void {
    this.#startedAt.set(call, now);
  }

  end(call: CallUnderWay): void {
    this.#startedAt.delete(call);
  }

  /** Describes the calls that take long; null if all are short. `now`: milliseconds since 1970. */
  findLong(now: number): Slowness | null {
    const long = [...this.#startedAt].filter(([, at]) => now - at > this.#longMs);
    if (long.length === 0) return null;
    const runs = new Set(long.map(([{ uuid }]) => uuid)).size;
    const since = Math.min(...long.map(([, at]) => at));
    const duration = formatDuration(now - since);
    const reason =
      runs === 1
        ? `1 run waits for an answer of the model, for ${duration}`
        : `${runs} runs wait for an answer of the model, the longest for ${duration}`;
    return { since, reason, measuredMs: now - since };
  }
}

/** In whole minutes, so that the reason changes once a minute. */
function formatDuration(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes === 0) return `${Math.floor(ms / 1_000)} s`;
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}
