import type { Attributes } from '@opentelemetry/api';
import type { BoardState } from '../board/board-state.ts';
import { isOutbox, isResponseTime } from '../state/condition.ts';
import { isHold, type ServiceState } from '../state/service-state.ts';

/** State of a process at the moment at which its metrics are read. What is null could not be read, and is left out. */
export interface MeasuredState {
  readonly board: BoardState;
  /** Times since which the tasks of the queue could start, in milliseconds since 1970. */
  readonly queued: readonly number[] | null;
  readonly service: ServiceState;
  readonly resting: RestingCounts | null;
  readonly budgets: readonly PlatformBudget[];
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly memory: ProcessMemory;
}

/** Numbers of runs that do not work now. */
export interface RestingCounts {
  readonly paused: number;
  readonly inReview: number;
  /** Changes that a user has to allow. */
  readonly held: number;
}

/** A limit of the requests to a platform. */
export interface PlatformBudget {
  readonly platform: string;
  /** `content`: comments and pull requests that can be created within an hour. */
  readonly budget: 'primary' | 'content';
  readonly left: number;
  readonly limit: number;
}

/** Bytes. */
export interface ProcessMemory {
  readonly rss: number;
  readonly heapUsed: number;
}

/** Numbers of one meaning, each with its labels. */
export interface StateGauge {
  readonly name: string;
  readonly unit?: 's' | 'By' | undefined;
  readonly description: string;
  readonly read: (state: MeasuredState) => readonly Sample[];
}

type Sample = readonly [value: number, labels?: Attributes];

const toSeconds = (ms: number): number => Math.max(0, Math.round(ms / 1_000));

const byLabel = (label: string, counts: Readonly<Record<string, number>>): readonly Sample[] =>
  Object.entries(counts).map(([name, count]) => [count, { [label]: name }]);

const taskGauges: readonly StateGauge[] = [
  {
    name: 'agent_daemon_tasks',
    description: 'Tasks by state.',
    read: ({ board, queued, resting }) =>
      byLabel('state', {
        running: board.running.size,
        ...(queued && { queued: queued.length }),
        ...(resting && { paused: resting.paused, in_review: resting.inReview }),
      }),
  },
  {
    name: 'agent_daemon_oldest_waiting_task_seconds',
    unit: 's',
    description: 'Time since which the oldest task of the queue waits; 0 if none waits.',
    read: ({ queued, now }) =>
      queued === null
        ? []
        : [[toSeconds(now - queued.reduce((oldest, since) => Math.min(oldest, since), now))]],
  },
  {
    name: 'agent_daemon_held_changes',
    description: 'Changes that a user has to allow before they are pushed.',
    read: ({ resting }) => (resting === null ? [] : [[resting.held]]),
  },
  {
    name: 'agent_daemon_outbox_open',
    description: 'Pending updates of ended runs, by kind.',
    read: ({ board }) => byLabel('kind', countOpen(board)),
  },
  {
    name: 'agent_daemon_tasks_preparing',
    description: 'Running tasks in pre-planning.',
    read: ({ board }) => [
      [[...board.running.values()].filter(({ preparation }) => preparation !== null).length],
    ],
  },
  {
    name: 'agent_daemon_tasks_planned',
    description: 'Running tasks with a plan, by phase.',
    read: ({ board }) => byLabel('phase', countPhases(board)),
  },
];

/** Problems of the whole service by cause: each process shows the same. */
const problemGauges: readonly StateGauge[] = [
  {
    name: 'agent_daemon_problems',
    description: 'Problems of the service, by cause.',
    read: ({ service: { problems } }) => byLabel('cause', countBy(problems.map(({ cause }) => cause))),
  },
  {
    name: 'agent_daemon_problem_age_seconds',
    unit: 's',
    description: 'Age of the oldest problem of each cause.',
    read: ({ service: { problems }, now }) =>
      [...new Set(problems.map(({ cause }) => cause))].map((cause) => {
        const same = problems.filter((one) => one.cause === cause);
        return [toSeconds(Math.max(...same.map(({ since }) => now - (since ?? now)))), { cause }];
      }),
  },
  {
    name: 'agent_daemon_queue_held_back',
    description: '1 for each cause that keeps tasks from starting.',
    read: ({ service }) => service.problems.filter(isHold).map(({ cause }) => [1, { cause }]),
  },
  {
    name: 'agent_daemon_queue_held_back_seconds',
    unit: 's',
    description: 'Seconds until tasks are expected to start again, by cause, if that is known.',
    read: ({ service, now }) =>
      service.problems
        .filter(isHold)
        .flatMap(({ cause, scope, until }) =>
          until === null ? [] : [[toSeconds(until - now), { cause, scope: scope ?? '' }]],
        ),
  },
  {
    name: 'agent_daemon_condition_ok',
    description: 'Health of the parts that the daemon depends on: 1 or 0, by part.',
    read: ({ board }) =>
      [...board.conditions.values()]
        .filter((condition) => !isOutbox(condition) && !isResponseTime(condition))
        .map(({ part, state }) => [state === 'ok' ? 1 : 0, { part }]),
  },
];

const platformGauges: readonly StateGauge[] = [
  {
    name: 'agent_daemon_requests_left',
    description: 'Requests that a credential still has, by budget, as far as the platform said it.',
    read: ({ budgets }) => budgets.map(({ left, platform, budget }) => [left, { platform, budget }]),
  },
  {
    name: 'agent_daemon_requests_limit',
    description: 'Requests that a credential has within an hour, by budget.',
    read: ({ budgets }) => budgets.map(({ limit, platform, budget }) => [limit, { platform, budget }]),
  },
  {
    name: 'agent_daemon_last_poll_timestamp_seconds',
    unit: 's',
    description: 'Time of the last poll that a repository answered, in seconds since 1970.',
    read: ({ board }) =>
      [...board.polled].flatMap(([platform, places]) =>
        [...places].map(([repository, at]): Sample => [at / 1_000, { platform, repository }]),
      ),
  },
];

const processGauges: readonly StateGauge[] = [
  {
    name: 'process_resident_memory_bytes',
    unit: 'By',
    description: 'Memory of the process.',
    read: ({ memory }) => [[memory.rss]],
  },
  {
    name: 'process_heap_bytes',
    unit: 'By',
    description: 'Heap in use.',
    read: ({ memory }) => [[memory.heapUsed]],
  },
  {
    name: 'process_start_time_seconds',
    unit: 's',
    description: 'When the process started.',
    read: ({ startedAt }) => [[startedAt / 1_000]],
  },
];

/** Everything that is read of a process when its metrics are. Nothing in it grows with the number of tasks that were ever done. */
export const stateGauges: readonly StateGauge[] = [
  ...taskGauges,
  ...problemGauges,
  ...platformGauges,
  ...processGauges,
];

function countBy(names: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

function countPhases({ running }: BoardState): Readonly<Record<string, number>> {
  return countBy([...running.values()].flatMap(({ plan }) => (plan === null ? [] : [plan.phase])));
}

function countOpen({ outboxes }: BoardState): Readonly<Record<string, number>> {
  const none = { comment: 0, label: 0, 'last-look': 0, worktree: 0 };
  return { ...none, ...countBy([...outboxes.values()].flat()) };
}
