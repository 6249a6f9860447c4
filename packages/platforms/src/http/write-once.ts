import { PlatformError } from '../platform-error.ts';

/** Waits of `writeOnce`. */
export interface WriteOnceOptions {
  /** Waits before a write whose answer was lost is looked for. */
  readonly pause: () => Promise<void>;
}

/**
 * Makes a write happen once although its answer may get lost: looks, writes when nothing is there, and after a lost
 * answer (5xx, broken connection, timeout), or one that says it is there already, looks again before it writes a second and last time.
 */
export async function writeOnce<Result>(
  steps: {
    /** Finds the result of the write if it is done; null if it is not. */
    readonly look: () => Promise<Result | null>;
    readonly write: () => Promise<Result>;
  },
  options: WriteOnceOptions,
): Promise<{ readonly result: Result; readonly written: boolean }> {
  const before = await steps.look();
  if (before !== null) return { result: before, written: false };
  try {
    return { result: await steps.write(), written: true };
  } catch (error) {
    const found = await checkAfterLostAnswer(error, steps.look, options);
    if (found !== null) return { result: found, written: true };
  }
  try {
    return { result: await steps.write(), written: true };
  } catch (error) {
    const found = await checkAfterLostAnswer(error, steps.look, options);
    if (found !== null) return { result: found, written: true };
    throw error;
  }
}

async function checkAfterLostAnswer<Result>(
  error: unknown,
  look: () => Promise<Result | null>,
  { pause }: WriteOnceOptions,
): Promise<Result | null> {
  if (!mayBeDone(error)) throw error;
  await pause();
  return look();
}

/** The answer was lost, or somebody was quicker. */
function mayBeDone(error: unknown): boolean {
  if (!PlatformError.isInstance(error)) return false;
  return error.code === 'unavailable' || /already exists/iu.test(error.message);
}
