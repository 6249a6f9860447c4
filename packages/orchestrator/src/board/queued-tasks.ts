import type { JsonObject } from '@agent/run-store';
import type { Locale } from '@agent/text';
import { z } from 'zod';
import { describeQueued, type QueueCauses } from '../state/describe-queued.ts';
import { runStates, toQueuedState } from '../state/run-state.ts';
import { repositoryOf, type TaskSummary } from './run-summary.ts';

/** A queued task, as `/tasks.json` shows it. */
export const queuedTaskSchema = z.object({
  /** `acme/shop#42` */
  task: z.string(),
  /** Null for a task without a run. */
  uuid: z.string().nullable(),
  thread: z.string(),
  host: z.string(),
  kind: z.enum(['new', 'interrupted', 'paused', 'retry', 'ended']),
  title: z.string().nullable(),
  url: z.string().nullable(),
  user: z.string().nullable(),
  since: z.string(),
});

/** A queued task, as `/tasks.json` shows it. `since`: ISO 8601. */
export type QueuedTask = z.output<typeof queuedTaskSchema>;

/** State of the service, and the language of reasons. */
export interface QueueWords {
  readonly service: QueueCauses;
  readonly locale: Locale;
}

/** Lists queued tasks with their place and their reason, in the order of the queue. */
export function toQueuedJson(queued: readonly QueuedTask[], words: QueueWords): readonly JsonObject[] {
  return queued
    .filter((task) => toQueuedState('queued', task) === 'queued')
    .map((task, index) => {
      const {
        state,
        position = null,
        reason = null,
      } = toSummary(task, {
        ...{ run: undefined, position: index + 1, words },
      });
      return { ...task, state, position, reason };
    });
}

/**
 * Adds the queue to a list of runs: runs whose entry waits are queued, and queued tasks without a run are rows of their own. Returns
 * all in the order of the states, and queued ones in the order of the queue.
 */
export function withQueue(
  runs: readonly TaskSummary[],
  queued: readonly QueuedTask[],
  words: QueueWords,
): readonly TaskSummary[] {
  const known = new Map(runs.map((run) => [run.uuid, run]));
  const runOf = ({ uuid }: QueuedTask) => (uuid === null ? undefined : known.get(uuid));
  const waiting = queued
    .filter((task) => toQueuedState(runOf(task)?.state ?? 'queued', task) === 'queued')
    .map((task, index) => toSummary(task, { run: runOf(task), position: index + 1, words }));
  const isQueued = new Set(waiting.map(({ uuid }) => uuid));
  const others = runs.filter(({ uuid }) => !isQueued.has(uuid));
  return [...others, ...waiting].toSorted(
    (one, other) => runStates.indexOf(one.state) - runStates.indexOf(other.state),
  );
}

interface SummaryOptions {
  readonly run: TaskSummary | undefined;
  readonly position: number;
  readonly words: QueueWords;
}

function toSummary(task: QueuedTask, { run, position, words }: SummaryOptions): TaskSummary {
  const { uuid, thread: taskKeyText, host, kind, since } = task;
  const name = run?.name ?? task.task;
  const place = { host, repository: repositoryOf(taskKeyText, name), isResumed: kind === 'paused' };
  return {
    ...{ uuid, name, taskKeyText, state: 'queued', status: null, since, position },
    title: run?.title ?? task.title,
    url: run?.url ?? task.url,
    user: run?.user ?? task.user,
    reason: describeQueued(place, words),
  };
}
