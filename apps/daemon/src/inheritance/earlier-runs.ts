import { hashTaskKey } from '@agent/context-inheritance';
import type {
  ContextInheritanceConfig,
  ContextInheritanceManager,
  ThreadReference,
} from '@agent/context-inheritance/inheritance';
import { createTextCleaner } from '../comments/create-text-cleaner.ts';
import type { DaemonLogger } from '../log/logger.ts';
import type { Locale } from '../task/locale.ts';
import type { RunIndex } from './open-run-index.ts';

export interface EarlierRunsOptions {
  readonly config: ContextInheritanceConfig;
  readonly baseDirectory: string;
  readonly openIndex: () => Promise<RunIndex>;
  /** Taken out by value of whatever is inherited. */
  readonly secrets: readonly string[];
  readonly logLocale: Locale;
  readonly now: () => number;
}

/** What earlier runs of a thread left, as a run that begins asks for it. */
export interface EarlierRuns {
  /** Whether a run of this thread has ended before. Rejects when the index cannot be asked. */
  readonly areKnown: (thread: ThreadReference) => Promise<boolean>;
  /** Looks them up for one run, in the language of its thread. */
  readonly openManager: (run: {
    readonly locale: Locale;
    readonly logger: DaemonLogger;
  }) => Promise<ContextInheritanceManager>;
}

/** Loads what reads earlier runs only for a thread that has some: most runs are the first of theirs. */
export function createEarlierRuns(options: EarlierRunsOptions): EarlierRuns {
  const { config, baseDirectory, openIndex, secrets, logLocale, now } = options;
  return {
    areKnown: async ({ taskKeyText, host }) => {
      const { index } = await openIndex();
      return (await index.find({ taskKeyHash: hashTaskKey(taskKeyText), host })).length > 0;
    },
    openManager: async ({ locale, logger }) => {
      const [{ index }, library] = await Promise.all([
        openIndex(),
        import('@agent/context-inheritance/inheritance'),
      ]);
      const reader = library.createFilePreviousRunReader({ baseDirectory, listRuns: index.find });
      return new library.ContextInheritanceManager(reader, {
        ...library.toContextInheritanceOptions(config),
        // The index keeps the tasks that were asked for in memory, and hears of each run that ends.
        cacheMs: 0,
        forgetRun: index.remove,
        secrets,
        cleanText: createTextCleaner(logger),
        locale,
        logLocale,
        logger,
        now: () => new Date(now()),
      });
    },
  };
}
