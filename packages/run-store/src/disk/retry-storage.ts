import { ContextStoreError } from '../context-store-error.ts';
import { toSystemCode } from './storage-error.ts';

const passingCodes = new Set(['EMFILE', 'EBUSY', 'EAGAIN', 'EIO']);
const delaysMs = [100, 200, 400];

/** Waits the given milliseconds. */
export type Sleep = (delayMs: number) => Promise<void>;

/** Tries again, three times, what failed for a reason that may pass; the last failure is the caller's. @see decision C18 */
export async function retryStorage<Result>(
  work: () => Promise<Result>,
  options: { readonly sleep: Sleep },
): Promise<Result> {
  for (const delayMs of delaysMs) {
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error)) throw error;
      await options.sleep(delayMs);
    }
  }
  return work();
}

function isPassing(error: unknown): boolean {
  const cause = ContextStoreError.isInstance(error) ? error.cause : error;
  return passingCodes.has(toSystemCode(cause) ?? '');
}
