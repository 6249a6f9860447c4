import { PlatformError } from '@agent/platforms';

/** Whether an error goes away by itself, so that the same call is worth another try later. */
export function isPassing(error: unknown): boolean {
  return PlatformError.isInstance(error) && (error.code === 'unavailable' || error.code === 'rate-limited');
}
