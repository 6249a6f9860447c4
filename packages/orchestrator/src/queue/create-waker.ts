type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<void>;

/** A sleep that can be cut short. */
export interface Waker {
  /** Ends the sleep under way, or the next one. */
  readonly wake: () => void;
  /** Sleeps this long, until the signal is aborted, or until it is woken. */
  readonly sleep: Sleep;
}

/** Longest sleep that nobody cuts short, so that a storm of calls leads to one round a second. */
const restMs = 1_000;

/** Waits by the sleep that it is given. */
export function createWaker(sleep: Sleep): Waker {
  let isWoken = false;
  let stir = (): void => {};
  return {
    wake: () => {
      isWoken = true;
      stir();
    },
    sleep: async (milliseconds, signal) => {
      await sleep(Math.min(milliseconds, restMs), signal);
      const woken = new AbortController();
      stir = () => woken.abort();
      if (!isWoken && !signal.aborted && milliseconds > restMs)
        await sleep(milliseconds - restMs, AbortSignal.any([signal, woken.signal]));
      isWoken = false;
    },
  };
}
