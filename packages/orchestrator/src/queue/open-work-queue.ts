import { toRepositoryName } from '@agent/platforms';
import type { RunStorage, TaskQueue } from '@agent/run-store';
import { z } from 'zod';
import type { Clock, RunLogger } from '../host/ports.ts';
import type { ConfiguredPlatform } from '../run/run-thread.ts';
import type { Holds } from '../state/holds.ts';
import { MemoryTaskQueue } from './memory-task-queue.ts';
import { type QueueEntry, readTaskKey } from './queue-entry.ts';

/** Budgets that tasks share. */
export interface SharedBudgets {
  /** Finds the budget for which no task of this repository starts; null if no such budget exists. */
  readonly findFor: (place: { readonly host: string; readonly repository: string }) => {
    /** Milliseconds since 1970; null without a reset. */
    readonly until: number | null;
  } | null;
}

export interface WorkQueueOptions {
  readonly platforms: readonly Pick<ConfiguredPlatform, 'platform' | 'runHolds'>[];
  /** Tasks that this process carries out at the same time. */
  readonly readConcurrency: () => number;
  /** Milliseconds for which the task may not begin in this process beside this number of others; 0 if it may. */
  readonly holdMs: (running: number, task: QueueEntry) => number;
  /** Budgets that tasks share. Default none. */
  readonly money?: SharedBudgets | undefined;
  /** Receives the holds of the queue. */
  readonly holds: Holds;
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
): TaskQueue<QueueEntry> {
  const { holds } = options;
  const budgets = { platforms, holds, now: clock.now };
  const holdMs = (task: QueueEntry, { running, hasBegun = false }: Beside): number => {
    const budgetMs = waitForBudget(budgets, { task, running });
    // What another process had begun was counted there: it is no more work than before.
    return (
      options.holdMs(running.length, task) ||
      waitForMoney(options.money, { task, now: clock.now }) ||
      (hasBegun ? 0 : budgetMs)
    );
  };
  const queue =
    sharing === null
      ? new MemoryTaskQueue({
          ...{ ...clock, holdMs, isPaused, toPriority: sharedQueueRules.toPriority },
          get concurrency() {
            return readConcurrency();
          },
        })
      : sharing.openQueue<QueueEntry>({
          ...{ isPaused, logger, now: clock.now, sleep: clock.sleep },
          concurrency: readConcurrency,
          parseEntry: parseQueueEntry,
          rules: { ...sharedQueueRules, takesUp: createTakesUp(options), holdMs },
        });
  if (sharing === null) return queue;
  return { ...queue, add: ({ title: _, user: __, ...entry }) => queue.add(entry) };
}

interface Beside {
  readonly running: readonly QueueEntry[];
  readonly hasBegun?: boolean;
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
  priority: z.number().optional(),
  url: z.string().nullish(),
});

/** Reads an entry that another process added. @throws for what is none, and for one whose key names no thread */
export function parseQueueEntry(json: unknown): QueueEntry {
  const entry = entrySchema.parse(json);
  readTaskKey(entry);
  return entry;
}

/** Tasks that have begun go before those that have not, whose own priority is 100 at most. */
const priorities: Readonly<Record<QueueEntry['kind'], number>> = {
  ended: 103,
  interrupted: 103,
  paused: 102,
  retry: 101,
  new: 0,
};

/** Rules by which tasks wait in a queue that processes share: what has begun goes first, and repositories take turns. */
export const sharedQueueRules = {
  toGroup: (entry: QueueEntry): string => `${entry.platform} ${toRepositoryName(readTaskKey(entry))}`,
  toPriority: ({ kind, priority = 0 }: QueueEntry): number =>
    priorities[kind] + (kind === 'new' ? priority : 0),
};

/** Shorter waits are part of the pace, and no hold for people. */
const shownFromMs = 60_000;

/** Rounded up, so that a hold is not another one with each millisecond. */
const toSecond = (at: number): number => Math.ceil(at / 1_000) * 1_000;

interface Budgets {
  readonly platforms: WorkQueueOptions['platforms'];
  readonly holds: Holds;
  readonly now: () => number;
}

/** A task begins when its platform has requests left for a whole run beside those under way. Returns milliseconds. */
function waitForBudget(
  { platforms, holds, now }: Budgets,
  {
    task: { platform: scope },
    running,
  }: { readonly task: QueueEntry; readonly running: readonly QueueEntry[] },
): number {
  const found = platforms.find(({ platform }) => platform.host === scope);
  const held = found?.runHolds(running.filter(({ platform }) => platform === scope).length) ?? [];
  for (const cause of ['requests_primary', 'requests_secondary', 'content_writes'] as const) {
    const waitMs = held.find((one) => one.cause === cause)?.waitMs ?? 0;
    if (waitMs >= shownFromMs) holds.report({ cause, scope, until: toSecond(now() + waitMs) });
    // A hold that is reported already is one until its end.
    else if (waitMs === 0) holds.clear(cause, scope);
  }
  return Math.max(0, ...held.map(({ waitMs }) => waitMs));
}

/** Pause before a budget without a reset is compared with its limit again. */
const comparedAgainMs = 60_000;

/** Finds the used-up budget because of which a task does not begin. What has begun waits by itself, so that commands still reach it. */
export function findBudget(money: SharedBudgets, task: QueueEntry): ReturnType<SharedBudgets['findFor']> {
  if (task.kind !== 'new' && task.kind !== 'retry') return null;
  const repository = toRepositoryName(readTaskKey(task));
  return money.findFor({ host: task.platform, repository });
}

/** Milliseconds for which a task waits for the budgets that it shares. */
function waitForMoney(
  money: WorkQueueOptions['money'],
  { task, now }: { readonly task: QueueEntry; readonly now: () => number },
): number {
  const found = money === undefined ? null : findBudget(money, task);
  if (found === null) return 0;
  return found.until === null ? comparedAgainMs : Math.max(1, found.until - now());
}
