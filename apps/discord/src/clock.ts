/** Time as the bot sees it, so that a test need not wait. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Does something once, that many milliseconds from now. Gives what calls it off. */
  readonly after: (delayMs: number, act: () => void) => () => void;
}

/** The time of this machine. A timer alone does not keep the process alive. */
export const systemClock: Clock = createSystemClock((timer) => timer.unref());

/** The same with timers that keep the process alive: before the bot is connected, nothing else does. */
export const wakefulClock: Clock = createSystemClock(() => {});

function createSystemClock(release: (timer: NodeJS.Timeout) => void): Clock {
  return {
    now: Date.now,
    after: (delayMs, act) => {
      const timer = setTimeout(act, delayMs);
      release(timer);
      return () => clearTimeout(timer);
    },
  };
}

/** Resolves after a while, at once when there is none, or as soon as the signal aborts. */
export function sleep(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted || delayMs <= 0) return Promise.resolve();
  return new Promise((resolve) => {
    const wake = (): void => {
      cancel();
      signal.removeEventListener('abort', wake);
      resolve();
    };
    const cancel = clock.after(delayMs, wake);
    signal.addEventListener('abort', wake);
  });
}

interface TimeLimit {
  readonly clock: Clock;
  readonly limitMs: number;
  /** Ends it earlier, with its own reason. */
  readonly signal?: AbortSignal | undefined;
  /** Reason of the end when the time is over. */
  readonly reason: () => Error;
}

/**
 * Does something that has to be over in time, and gives it up as soon as the time is over or the signal aborts, whether the work
 * heeds that or not.
 *
 * @throws the reason of the end
 */
export async function withinTime<Result>(
  { clock, limitMs, signal, reason }: TimeLimit,
  act: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const late = new AbortController();
  const cancel = clock.after(limitMs, () => late.abort(reason()));
  const end = AbortSignal.any([late.signal, ...(signal === undefined ? [] : [signal])]);
  const { promise: ended, reject } = Promise.withResolvers<never>();
  end.addEventListener('abort', () => reject(end.reason), { once: true });
  try {
    end.throwIfAborted();
    return await Promise.race([act(end), ended]);
  } catch (error) {
    end.throwIfAborted();
    throw error;
  } finally {
    cancel();
  }
}
