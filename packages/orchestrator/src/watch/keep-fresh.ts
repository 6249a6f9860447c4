import type { RunsWatch, WatchClock } from './create-runs-watch.ts';

/** Milliseconds after the last look for which runs are followed. */
const freshMs = 300_000;

/** Options of `createKeepFresh`. */
export interface KeepFreshOptions extends WatchClock {
  /** Ends the following. */
  readonly closed: AbortSignal;
}

/**
 * Creates what follows the runs while somebody looks at them and some minutes longer, so that the next look finds them ready.
 *
 * @returns what tells that somebody looks
 */
export function createKeepFresh(
  { changes }: Pick<RunsWatch, 'changes'>,
  { now, sleep, closed }: KeepFreshOptions,
): () => void {
  let askedAt = Number.NEGATIVE_INFINITY;
  let isFollowing = false;
  const follow = async () => {
    isFollowing = true;
    const stop = changes.subscribe(() => {});
    while (!closed.aborted && now() - askedAt < freshMs) await sleep(freshMs / 5, closed);
    stop();
    isFollowing = false;
  };
  return () => {
    askedAt = now();
    if (!isFollowing) void follow();
  };
}
