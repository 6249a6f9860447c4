import type { ConfiguredPlatform } from '../run/run.ts';

/** A task to run: a new one found on a platform, or one that an earlier process left unfinished. */
export interface PendingTask {
  /** Tasks with the same key are of one thread, and never run at the same time. */
  readonly key: string;
  /** Where it runs, so that it can wait for what its platform can bear. */
  readonly platform: Pick<ConfiguredPlatform, 'platform' | 'runWaitMs'>;
  readonly run: () => Promise<void>;
}
