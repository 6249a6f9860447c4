import type { Config } from './schema.ts';

/** Days that say how long a run is kept once it ended: the longer of the two counts (decision X8). */
export function toExpiryDays({ context_storage, context_inheritance }: Config) {
  return {
    cleanupDays: context_storage.cleanup_days,
    contextExpiryDays: context_inheritance.context_expiry_days,
  };
}
