import type { FollowedRuns, PageChange } from './follow-runs.ts';

/** Sources of changes. */
export interface RunChangesOptions {
  readonly runs: Pick<FollowedRuns, 'refresh' | 'sweep'>;
  /** Tells of changes that this process makes: they are looked for at once. */
  readonly hear: (listener: () => void) => () => void;
  /** Called when what has changed could not be read: it is tried again. */
  readonly onError: (error: unknown) => void;
  /** Resolves after this long, or as soon as the signal is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Milliseconds between two looks. Default 500. */
  readonly intervalMs?: number | undefined;
}

/** Tells of changes, whoever made them. */
export interface RunChanges {
  readonly subscribe: (listener: (change: PageChange) => void) => () => void;
  /** Tells whether somebody listens, so that what is known is at most so old as the pause between two looks. */
  readonly isLive: () => boolean;
}

/** Milliseconds for which what this process does is gathered before it is looked for. */
const gatherMs = 50;

/** Looks for changes again and again while somebody listens, and does nothing while nobody does. */
export function createRunChanges(options: RunChangesOptions): RunChanges {
  const { runs, hear, onError, sleep, intervalMs = 500 } = options;
  const listeners = new Set<(change: PageChange) => void>();
  let current: AbortController | null = null;
  let isFresh = false;

  async function follow(signal: AbortSignal): Promise<void> {
    let wake = () => {};
    const stop = hear(() => wake());
    while (!signal.aborted) {
      const changes = await look(runs).catch((error: unknown) => {
        isFresh = false;
        onError(error);
        return null;
      });
      if (signal.aborted) break;
      if (changes !== null) isFresh = true;
      for (const change of changes ?? []) for (const listener of [...listeners]) listener(change);
      const woken = new AbortController();
      wake = () => void woken.abort();
      await sleep(intervalMs, AbortSignal.any([signal, woken.signal]));
      if (woken.signal.aborted) await sleep(gatherMs, signal);
    }
    stop();
  }

  return {
    isLive: () => isFresh && listeners.size > 0,
    subscribe: (listener) => {
      // One of its own, so that the same function may listen twice.
      const own = (change: PageChange) => listener(change);
      listeners.add(own);
      if (current === null) {
        current = new AbortController();
        void follow(current.signal);
      }
      return () => {
        if (!listeners.delete(own) || listeners.size > 0) return;
        current?.abort();
        current = null;
        isFresh = false;
      };
    },
  };
}

async function look(runs: Pick<FollowedRuns, 'refresh' | 'sweep'>): Promise<readonly PageChange[]> {
  const changes = await runs.refresh();
  return [...changes, ...(await runs.sweep())];
}
