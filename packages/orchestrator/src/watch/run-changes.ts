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
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds from the begin of a look to that of the next. Default 250. */
  readonly intervalMs?: number | undefined;
}

/** Reports changes within a second of the record's. */
export interface PageChanges {
  /** @returns what ends it */
  readonly subscribe: (listener: (change: PageChange) => void) => () => void;
}

/** Changes, and whether they are followed. */
export interface RunChanges extends PageChanges {
  /** Tells whether somebody listens, so that what is known is at most so old as the pause between two looks. */
  readonly isLive: () => boolean;
}

/** The least milliseconds of rest after a look that took long. */
const restMs = 100;
/** Milliseconds for which what this process does is gathered before it is looked for. */
const gatherMs = 50;

/** Looks for changes again and again while somebody listens, and does nothing while nobody does. */
export function createRunChanges(options: RunChangesOptions): RunChanges {
  const { runs, hear, onError, sleep, now, intervalMs = 250 } = options;
  const listeners = new Set<(change: PageChange) => void>();
  let current: AbortController | null = null;
  let isFresh = false;

  /** Tells of each change before more is read: to look for runs that were removed takes long. */
  async function look(signal: AbortSignal): Promise<void> {
    try {
      tell(await runs.refresh(), signal);
      if (signal.aborted) return;
      isFresh = true;
      tell(await runs.sweep(), signal);
    } catch (error) {
      isFresh = false;
      onError(error);
    }
  }

  function tell(changes: readonly PageChange[], signal: AbortSignal): void {
    if (signal.aborted) return;
    for (const change of changes) for (const listener of [...listeners]) listener(change);
  }

  async function follow(signal: AbortSignal): Promise<void> {
    let wake = () => {};
    const stop = hear(() => wake());
    while (!signal.aborted) {
      const beganAt = now();
      const woken = new AbortController();
      // What this process does during a look may have come too late for it.
      wake = () => void woken.abort();
      await look(signal);
      if (signal.aborted) break;
      const pauseMs = Math.max(restMs, intervalMs - (now() - beganAt));
      await sleep(pauseMs, AbortSignal.any([signal, woken.signal]));
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
