import type { Clock } from '../../src/waits.ts';

/** A clock that stands still until somebody moves it. */
export interface FakeClock extends Clock {
  /** Lets so many milliseconds pass; what falls due happens in its order. */
  readonly advance: (milliseconds: number) => void;
  /** The delays of all that waits, shortest first. */
  readonly waiting: () => readonly number[];
  /** Settles as soon as something waits that long. */
  readonly untilWaiting: (delayMs: number) => Promise<void>;
}

interface Timer {
  readonly dueAt: number;
  readonly act: () => void;
}

export function createFakeClock(start = 1_000_000): FakeClock {
  let now = start;
  const timers = new Set<Timer>();
  const lookers = new Set<() => void>();
  const nextUntil = (end: number): Timer | undefined =>
    [...timers].filter(({ dueAt }) => dueAt <= end).sort((one, other) => one.dueAt - other.dueAt)[0];
  return {
    now: () => now,
    after: (delayMs, act) => {
      const timer = { dueAt: now + delayMs, act };
      timers.add(timer);
      for (const look of [...lookers]) look();
      return () => void timers.delete(timer);
    },
    advance: (milliseconds) => {
      const end = now + milliseconds;
      for (let timer = nextUntil(end); timer !== undefined; timer = nextUntil(end)) {
        timers.delete(timer);
        now = timer.dueAt;
        timer.act();
      }
      now = end;
    },
    untilWaiting: (delayMs) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (![...timers].some(({ dueAt }) => dueAt - now === delayMs)) return;
          lookers.delete(look);
          resolve();
        };
        lookers.add(look);
        look();
      }),
    waiting: () => [...timers].map(({ dueAt }) => dueAt - now).sort((one, other) => one - other),
  };
}
