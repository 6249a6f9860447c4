import { toRepositoryName } from '@agent/platforms';
import type { RunStorage } from '@agent/run-store';
import { z } from 'zod';
import type { Clock, RunLogger } from '../ports.ts';
import type { ConfiguredPlatform } from '../run/run-thread.ts';
import { type Hold, MemoryTaskQueue } from './memory-task-queue.ts';
import { type QueueEntry, readTaskKey, type TaskQueue } from './task-queue.ts';

/** Queue of the tasks that a process finds or carries out. */
export type WorkQueue = TaskQueue & Pick<MemoryTaskQueue, 'hold' | 'beginWaiting'>;

export interface WorkQueueOptions {
  readonly platforms: readonly Pick<ConfiguredPlatform, 'platform' | 'runWaitMs'>[];
  /** Tasks that this process carries out at the same time. */
  readonly readConcurrency: () => number;
  /** Says why no task may begin in this process beside so many that run; null where one may. */
  readonly holdBack: (running: number) => Hold | null;
  /** Tells whether everything is to pause: then nothing begins. */
  readonly isPaused: () => Promise<boolean>;
  /** Tells whether somebody waits for this run, so that it does not wait for its next attempt. */
  readonly isHurried: (runId: string) => boolean;
  /** True for a process that ends when nothing is left to do: it takes up each thread one time, without waiting for its next attempt. */
  readonly once: boolean;
  readonly clock: Clock;
  readonly logger: RunLogger;
}

/** Opens the queue: that of the place where processes share one, else one of this process alone. */
export function openWorkQueue(
  { sharing }: Pick<RunStorage, 'sharing'>,
  { platforms, readConcurrency, isPaused, clock, logger, ...options }: WorkQueueOptions,
): WorkQueue {
  const report = createHoldReports({ now: clock.now, logger });
  const holdBack = (task: QueueEntry, { running, hasBegun = false }: Beside): Hold | null => {
    const budget = waitForBudget(platforms, { task, running });
    // What another process had begun was counted there: it is no more work than before.
    const hold = options.holdBack(running.length) ?? (hasBegun ? null : budget);
    if (hold !== null) report(task, hold);
    return hold;
  };
  const rest = { sleep: clock.sleep, holdBack };
  if (sharing === null)
    return new MemoryTaskQueue({
      ...rest,
      get concurrency() {
        return readConcurrency();
      },
    });
  return sharing.openQueue<QueueEntry>({
    ...{ isPaused, logger, ...clock },
    concurrency: readConcurrency,
    parseEntry: parseQueueEntry,
    rules: {
      ...sharedQueueRules,
      takesUp: createTakesUp(options),
      holdBack,
    },
  });
}

interface Beside {
  readonly running: readonly QueueEntry[];
  readonly hasBegun?: boolean;
}

/** One line a minute says that a reason keeps tasks from beginning. */
const reportedMs = 60_000;

/** Tells the log of tasks that are held back: the first of each reason, and again while that lasts. */
function createHoldReports({ now, logger }: Pick<Clock, 'now'> & { readonly logger: RunLogger }) {
  const reportedAt = new Map<string, number>();
  return ({ key }: QueueEntry, { reason, waitMs }: Hold): void => {
    if (now() - (reportedAt.get(reason) ?? Number.NEGATIVE_INFINITY) < reportedMs) return;
    reportedAt.set(reason, now());
    logger.info({ task: key, reason, waitMs }, 'delayed task');
  };
}

/** Whoever looks offers at each poll what is unfinished; that alone hurries nothing. */
function createTakesUp({
  isHurried,
  once,
}: Pick<WorkQueueOptions, 'isHurried' | 'once'>): (entry: QueueEntry) => boolean {
  const offered = new Set<string>();
  return ({ key, runId }) => {
    const isFirst = once && !offered.has(key);
    offered.add(key);
    return isFirst || (runId !== null && isHurried(runId));
  };
}

const entrySchema: z.ZodType<QueueEntry> = z.object({
  key: z.string(),
  kind: z.enum(['new', 'interrupted', 'paused', 'retry', 'ended']),
  platform: z.string(),
  runId: z.string().nullable(),
});

/** Reads an entry that another process added. @throws for what is none, and for one whose key names no thread */
export function parseQueueEntry(json: unknown): QueueEntry {
  const entry = entrySchema.parse(json);
  readTaskKey(entry);
  return entry;
}

/** Tasks that have begun go before those that have not. */
const priorities: Readonly<Record<QueueEntry['kind'], number>> = {
  ended: 3,
  interrupted: 3,
  paused: 2,
  retry: 1,
  new: 0,
};

/** Rules by which tasks wait in a queue that processes share: what has begun goes first, and repositories take turns. */
export const sharedQueueRules = {
  toGroup: (entry: QueueEntry): string => `${entry.platform} ${toRepositoryName(readTaskKey(entry))}`,
  toPriority: ({ kind }: QueueEntry): number => priorities[kind],
};

/** A task begins when its platform has requests left for a whole run beside those under way. */
function waitForBudget(
  platforms: WorkQueueOptions['platforms'],
  {
    task: { platform: host },
    running,
  }: { readonly task: QueueEntry; readonly running: readonly QueueEntry[] },
): Hold | null {
  const found = platforms.find(({ platform }) => platform.host === host);
  const waitMs = found?.runWaitMs(running.filter(({ platform }) => platform === host).length) ?? 0;
  return waitMs > 0 ? { reason: `the request budget of ${host}`, waitMs } : null;
}
