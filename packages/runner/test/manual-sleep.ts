import type { Sleep } from '../src/run-options.ts';

/** Time that passes when somebody says so. */
export interface ManualSleep {
  readonly sleep: Sleep;
  /** Lets so many milliseconds pass. */
  readonly advance: (milliseconds: number) => void;
  /** Milliseconds that are left of all waits, in the order of their beginnings. */
  readonly waiting: () => readonly number[];
  /** Settles as soon as something waits that long. */
  readonly untilWaiting: (milliseconds: number) => Promise<void>;
}

interface Wait {
  left: number;
  readonly end: () => void;
}

/** Makes a time that stands still by itself. */
export function createManualSleep(): ManualSleep {
  const waits = new Set<Wait>();
  const watchers = new Set<() => void>();
  return {
    sleep: (milliseconds, { signal }) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const wait = { left: milliseconds, end: resolve };
        waits.add(wait);
        signal?.addEventListener('abort', () => {
          waits.delete(wait);
          reject(signal.reason);
        });
        for (const watch of [...watchers]) watch();
      }),
    advance: (milliseconds) => {
      for (const wait of [...waits]) {
        wait.left -= milliseconds;
        if (wait.left > 0) continue;
        waits.delete(wait);
        wait.end();
      }
    },
    waiting: () => [...waits].map(({ left }) => left),
    untilWaiting: (milliseconds) =>
      new Promise((resolve) => {
        const watch = (): void => {
          if (![...waits].some(({ left }) => left === milliseconds)) return;
          watchers.delete(watch);
          resolve();
        };
        watchers.add(watch);
        watch();
      }),
  };
}
