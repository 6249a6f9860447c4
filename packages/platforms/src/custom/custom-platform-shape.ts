import * as z from 'zod';

/** Keys of a configuration's section `platforms.NAME` that name an adapter, as people write them. */
export const customPlatformShape = {
  /** A module whose default export makes a platform; a relative path starts at the configuration file. */
  module: z.string({ error: 'names the module of this platform, e.g. ./adapter.mjs' }).min(1),
  /** Handed to the module as they are. */
  options: z.record(z.string(), z.json()).default({}),
  /** Longest time for one call of the module. */
  timeout_seconds: z.number().positive().max(86_400).default(30),
};
