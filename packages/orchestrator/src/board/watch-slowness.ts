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
        else calls.end(event.call, { isAnswered: event.isAnswered, now: now() });
      }
      if (event.type === 'task-leave') calls.leave(event.uuid);
      if (event.type === 'request' && isTimed(event)) times.add({ ...event, at: now() });
    },
    check: () => {
      for (const platform of times.platforms) report(`response:${platform}`, times.findSlow(platform, now()));
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

/** Wait of a run for an answer, over all calls that are made for it. */
interface Wait {
  /** Start of the first call without an answer, in milliseconds since 1970. */
  readonly since: number;
  readonly open: ReadonlySet<CallUnderWay>;
  /** End of the last call, in milliseconds since 1970; null while one is open. */
  readonly endedAt: number | null;
}

/** Finds out which runs wait long for an answer of the model. A call that ends without one and is made again goes on with the same wait. */
class LongCalls {
  readonly #longMs: number;
  /** By the uuids of runs. */
  readonly #waits = new Map<string, Wait>();

  constructor({ stepTimeoutMs }: { readonly stepTimeoutMs: number }) {
    this.#longMs = Math.min(longMs, stepTimeoutMs / 2);
  }

  /** `now`: milliseconds since 1970. */
  begin(call: CallUnderWay, now: number): void {
    const { since = now, open = [] } = this.#waits.get(call.uuid) ?? {};
    this.#waits.set(call.uuid, { since, open: new Set([...open, call]), endedAt: null });
  }

  end(call: CallUnderWay, { isAnswered, now }: { readonly isAnswered: boolean; readonly now: number }): void {
    const wait = this.#waits.get(call.uuid);
    if (wait === undefined) return;
    const open = new Set([...wait.open].filter((one) => one !== call));
    const isOver = open.size === 0;
    if (isAnswered && isOver) this.leave(call.uuid);
    else
      this.#waits.set(call.uuid, {
        since: isAnswered ? now : wait.since,
        open,
        endedAt: isOver ? now : null,
      });
  }

  /** Forgets a run that is carried no more. */
  leave(uuid: string): void {
    this.#waits.delete(uuid);
  }

  /** Describes the runs that wait long; null if there are none. `now`: milliseconds since 1970. */
  findLong(now: number): Slowness | null {
    for (const [uuid, { endedAt }] of this.#waits)
      if (endedAt !== null && now - endedAt > this.#longMs) this.leave(uuid);
    const long = [...this.#waits.values()].filter(({ since }) => now - since > this.#longMs);
    if (long.length === 0) return null;
    const since = Math.min(...long.map((wait) => wait.since));
    const duration = formatDuration(now - since);
    const reason =
      long.length === 1
        ? `1 run waits for an answer of the model, for ${duration}`
        : `${long.length} runs wait for an answer of the model, the longest for ${duration}`;
    return { since, reason, measuredMs: now - since };
  }
}

/** In whole minutes, so that the reason changes once a minute. */
function formatDuration(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes === 0) return `${Math.floor(ms / 1_000)} s`;
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}
