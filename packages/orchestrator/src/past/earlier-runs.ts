import type {
  ContextInheritanceConfig,
  ContextInheritanceManager,
  ThreadReference,
} from '@agent/context-inheritance';
import { hashTaskKey, type RunReader } from '@agent/run-store';
import type { Locale } from '@agent/text';
import type { TextWorker } from '@agent/text/worker';
import { createTextCleaner } from '../inbox/text-guard.ts';
import type { RunLogger } from '../ports.ts';
import type { RunIndex } from './open-run-index.ts';
import { parseLineage } from './run-lineage.ts';

export interface EarlierRunsOptions {
  readonly config: ContextInheritanceConfig;
  /** Size of the model's window, in tokens. */
  readonly contextLength: number;
  readonly baseDirectory: string;
  readonly openIndex: () => Promise<RunIndex>;
  readonly readRun: RunReader<unknown>['readRun'];
  /** Taken out by value of whatever is inherited. */
  readonly secrets: readonly string[];
  readonly textWorker: TextWorker;
  readonly logLocale: Locale;
  /** IANA name. */
  readonly timeZone: string;
  readonly now: () => number;
}

/** The run before one that begins. */
export interface LastRun {
  /** ISO 8601; by the platform's clock where ours was ahead of it. */
  readonly endedAt: string;
  /** ISO 8601: what the index has as the latest end of any run of the thread. */
  readonly latestEnd: string;
  /** Commands that it heard: see `RunLineage`. */
  readonly heard: readonly string[];
}

/** Work that earlier runs of a thread left, as a run that begins asks for it. */
export interface EarlierRuns {
  /** Zone of the times that threads are told, an IANA name. */
  readonly timeZone: string;
  /** The run of this thread that ended last; null before the first has. Rejects when the index cannot be asked. */
  readonly findLast: (
    thread: ThreadReference,
    options: { readonly endsOnThread: ReadonlyMap<string, string> },
  ) => Promise<LastRun | null>;
  /** Looks them up for one run, in the language of its thread. */
  readonly openManager: (run: {
    readonly locale: Locale;
    readonly logger: RunLogger;
  }) => Promise<ContextInheritanceManager>;
  /** Uuids of those that a new run looks back on, newest first. */
  readonly listInheritable: (thread: ThreadReference) => Promise<readonly string[]>;
}

const dayMs = 86_400_000;
/** A small model needs its window for the task: no more than a quarter of it goes to the past. */
const windowShare = 4;

/** Loads what reads earlier runs only for a thread that has some: most runs are the first of theirs. */
export function createEarlierRuns(options: EarlierRunsOptions): EarlierRuns {
  const { config, contextLength, baseDirectory, openIndex, readRun } = options;
  const { secrets, textWorker, logLocale, timeZone, now } = options;
  return {
    timeZone,
    findLast: async ({ taskKeyText, host }, { endsOnThread }) => {
      const { index } = await openIndex();
      const runs = await index.find({ taskKeyHash: hashTaskKey(taskKeyText), host });
      const ended = runs.flatMap(({ uuid, completedAt }) =>
        completedAt === null
          ? []
          : { uuid, completedAt, endedAt: earlier(completedAt, endsOnThread.get(uuid)) },
      );
      const [last] = ended.toSorted((one, other) => Date.parse(other.endedAt) - Date.parse(one.endedAt));
      if (last === undefined) return null;
      const latest = Math.max(...ended.map(({ completedAt }) => Date.parse(completedAt)));
      // A directory that is gone says no more of it.
      const heard = await readRun(last.uuid).then(
        ({ metadata }) => parseLineage(metadata).heard,
        () => [],
      );
      return { endedAt: last.endedAt, latestEnd: new Date(latest).toISOString(), heard };
    },
    listInheritable: async ({ taskKeyText, host }) => {
      const { index } = await openIndex();
      const runs = await index.find({ taskKeyHash: hashTaskKey(taskKeyText), host });
      const barriers = runs.flatMap(({ inheritanceBarrierAt: at }) => (at === null ? [] : Date.parse(at)));
      // What lies behind a /fresh-start is never taken over, and needs no summary.
      const latestBarrier = Math.max(Number.NEGATIVE_INFINITY, ...barriers);
      const oldest = now() - config.context_expiry_days * dayMs;
      return runs
        .filter(({ status }) => isInheritable(status, config))
        .filter(({ completedAt }) => {
          const end = completedAt === null ? Number.NaN : Date.parse(completedAt);
          return end >= oldest && end > latestBarrier;
        })
        .map(({ uuid }) => uuid)
        .slice(0, config.max_inheritance_depth);
    },
    openManager: async ({ locale, logger }) => {
      const [{ index }, library] = await Promise.all([openIndex(), import('@agent/context-inheritance')]);
      const reader = library.createFilePreviousRunReader({ baseDirectory, listRuns: index.find });
      return new library.ContextInheritanceManager(reader, {
        ...library.toContextInheritanceOptions(config),
        maxInheritedTokens: Math.min(config.max_inherited_tokens, Math.floor(contextLength / windowShare)),
        // The index keeps the tasks that were asked for in memory, and hears of each run that ends.
        cacheMs: 0,
        forgetRun: index.remove,
        secrets,
        cleanText: createTextCleaner({ textWorker, logger }),
        locale,
        logLocale,
        timeZone,
        logger,
        now: () => new Date(now()),
      });
    },
  };
}

/** A clock of ours that was ahead, and runs backwards since, must not hide what people said after the end. */
function earlier(one: string, other: string | undefined): string {
  return other !== undefined && Date.parse(other) < Date.parse(one) ? other : one;
}

/** Tells whether a later run could inherit from one that ended like this: then a summary of it is worth its cost. */
export function isInheritable(
  status: string,
  { enabled, include_failed_contexts: includesFailed }: ContextInheritanceConfig,
): boolean {
  if (!enabled) return false;
  return status === 'completed' || status === 'stopped' || (status === 'failed' && includesFailed);
}
