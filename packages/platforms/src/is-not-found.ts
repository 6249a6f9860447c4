import { PlatformError } from './platform-error.ts';

/** Tells whether a platform said that what was asked for is not there. */
export function isNotFound(error: unknown): boolean {
  return PlatformError.isInstance(error) && error.code === 'not-found';
}
