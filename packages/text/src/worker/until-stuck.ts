/** Bounds of the wait for a worker that counts what it begins. */
export interface StuckOptions {
  /** Milliseconds for one piece of work; it counts as stuck between one and two of these after its beginning. */
  readonly deadlineMs: number;
  /** Milliseconds for the worker to begin at all. Default two deadlines. */
  readonly startMs?: number | undefined;
  /** Ends the wait: the work is over, or not wanted any more. */
  readonly ends: AbortSignal;
  /** Default `AbortSignal.timeout`. */
  readonly timeoutSignal?: ((milliseconds: number) => AbortSignal) | undefined;
}

/** Waits until a worker has been at one piece of work for the whole of a deadline; false where the wait ended before. */
export async function untilStuck(
  begun: Int32Array,
  {
    deadlineMs,
    startMs = 2 * deadlineMs,
    ends,
    timeoutSignal = (milliseconds) => AbortSignal.timeout(milliseconds),
  }: StuckOptions,
): Promise<boolean> {
  let seen = 0;
  let waitedMs = 0;
  for (;;) {
    await untilAborted(AbortSignal.any([ends, timeoutSignal(deadlineMs)]));
    if (ends.aborted) return false;
    waitedMs += deadlineMs;
    const now = Atomics.load(begun, 0);
    if (now === seen && (now > 0 || waitedMs >= startMs)) return true;
    seen = now;
  }
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
