import {
  type BoardState,
  byLabel,
  counter,
  gauge,
  histogram,
  isHold,
  isOutbox,
  type MetricFamily,
  type MetricSample,
  type ModelCallCounts,
  one,
  type ServiceState,
} from '@agent/orchestrator';

/** Values at the moment of a scrape. */
export interface Measurements {
  readonly board: BoardState;
  /** Null while the database is away: left out, rather than shown as none. */
  readonly queued: number | null;
  readonly service: Pick<ServiceState, 'problems'>;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Null where the directories could not be read: left out, rather than shown as none. */
  readonly paused: number | null;
  /** Runs that wait for reviews and checks; null as for those that are paused. */
  readonly inReview: number | null;
  /** Changes that a person has to allow; null as for those that are paused. Default null. */
  readonly held?: number | null | undefined;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly memory: { readonly rss: number; readonly heapUsed: number };
}

/** The families of `/metrics`. Nothing in them grows with the number of tasks that were ever done. */
export function toMetrics(measured: Measurements): readonly MetricFamily[] {
  return [
    ...taskMetrics(measured),
    ...problemMetrics(measured),
    ...modelMetrics(measured.board),
    ...inheritanceMetrics(measured.board),
    ...platformMetrics(measured.board),
    ...processMetrics(measured),
  ];
}

function taskMetrics({
  board,
  queued,
  paused,
  inReview,
  held = null,
}: Measurements): readonly MetricFamily[] {
  const { counts } = board;
  const known = Object.entries({ running: board.running.size, queued, paused, in_review: inReview });
  const states = Object.fromEntries(known.filter((entry): entry is [string, number] => entry[1] !== null));
  return [
    gauge('agent_daemon_tasks', { help: 'Tasks by state.', samples: byLabel('state', states) }),
    gauge('agent_daemon_held_changes', {
      help: 'Changes that a user has to allow before they are pushed.',
      samples: held === null ? [] : one(held),
    }),
    gauge('agent_daemon_outbox_open', {
      help: 'Pending updates of ended runs, by kind.',
      samples: byLabel('kind', countOpen(board)),
    }),
    gauge('agent_daemon_tasks_preparing', {
      help: 'Running tasks in pre-planning.',
      samples: one([...board.running.values()].filter(({ preparation }) => preparation !== null).length),
    }),
    gauge('agent_daemon_tasks_planned', {
      help: 'Running tasks with a plan, by phase.',
      samples: byLabel('phase', countPhases(board)),
    }),
    counter('agent_daemon_plan_actions', {
      help: 'Finished plan actions, by result.',
      samples: byLabel('result', counts.planActions),
    }),
    counter('agent_daemon_runs_started', {
      help: 'Runs started by this process.',
      samples: one(counts.runsStarted),
    }),
    counter('agent_daemon_runs_resumed', {
      help: 'Runs resumed by this process.',
      samples: one(counts.runsResumed),
    }),
    counter('agent_daemon_runs_ended', {
      help: 'Runs ended, by outcome.',
      samples: byLabel('outcome', counts.runsEnded),
    }),
    counter('agent_daemon_model_calls', { help: 'Answers from the model.', samples: one(counts.modelCalls) }),
    counter('agent_daemon_tool_calls', {
      help: 'Tool calls, by result.',
      samples: byLabel('status', counts.toolCalls),
    }),
    counter('agent_daemon_tokens', {
      help: 'Tokens as counted by the model endpoint.',
      samples: byLabel('direction', { input: counts.inputTokens, output: counts.outputTokens }),
    }),
    counter('agent_daemon_tokens_by_kind', {
      help: 'Tokens by kind, if the provider reports it: input from its cache, output used for reasoning.',
      samples: byLabel('kind', { cached_input: counts.cachedInputTokens, reasoning: counts.reasoningTokens }),
    }),
    counter('agent_daemon_cost', {
      help: 'Cost of model answers, in the currency set in llm.currency.',
      samples: one(counts.costMicros / 1_000_000),
    }),
  ];
}

/** Problems of the whole service by cause: each process shows the same. */
function problemMetrics({ service: { problems }, now }: Measurements): readonly MetricFamily[] {
  const seconds = (ms: number): number => Math.max(0, Math.round(ms / 1_000));
  const oldest = (cause: string): number =>
    Math.max(...problems.filter((one) => one.cause === cause).map(({ since }) => now - (since ?? now)));
  const causes = [...new Set(problems.map(({ cause }) => cause))];
  const counts = causes.map(
    (cause) => [cause, problems.filter((one) => one.cause === cause).length] as const,
  );
  const holds = problems.filter(isHold);
  return [
    gauge('agent_daemon_problems', {
      help: 'Problems of the service, by cause.',
      samples: byLabel('cause', Object.fromEntries(counts)),
    }),
    gauge('agent_daemon_problem_age_seconds', {
      help: 'Age of the oldest problem of each cause.',
      samples: byLabel('cause', Object.fromEntries(causes.map((cause) => [cause, seconds(oldest(cause))]))),
    }),
    gauge('agent_daemon_queue_held_back', {
      help: '1 for each cause that keeps tasks from starting.',
      samples: byLabel('cause', Object.fromEntries(holds.map(({ cause }) => [cause, 1]))),
    }),
    gauge('agent_daemon_queue_held_back_seconds', {
      help: 'Seconds until tasks are expected to start again, by cause, if that is known.',
      samples: holds.flatMap(({ cause, scope, until }) =>
        until === null ? [] : [{ labels: { cause, scope: scope ?? '' }, value: seconds(until - now) }],
      ),
    }),
  ];
}

function countPhases({ running }: BoardState): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { plan } of running.values())
    if (plan !== null) counts[plan.phase] = (counts[plan.phase] ?? 0) + 1;
  return counts;
}

function countOpen({ outboxes }: BoardState): Readonly<Record<string, number>> {
  const counts = { comment: 0, label: 0, 'last-look': 0, worktree: 0 } as Record<string, number>;
  for (const kind of [...outboxes.values()].flat()) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

/**
 * Requests to models by the names of the convention: all of them, those of pre-planning and summaries too.
 *
 * @see https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-metrics/
 */
function modelMetrics({ modelCalls }: BoardState): readonly MetricFamily[] {
  const models = [...modelCalls.values()];
  return [
    histogram('gen_ai.client.token.usage', {
      unit: '{token}',
      help: 'Tokens of a model request, as counted by its provider.',
      samples: models.flatMap((model) => [
        { labels: { ...describe(model), 'gen_ai.token.type': 'input' }, value: model.inputTokens },
        { labels: { ...describe(model), 'gen_ai.token.type': 'output' }, value: model.outputTokens },
      ]),
    }),
    histogram('gen_ai.client.operation.duration', {
      unit: 's',
      help: 'Duration of a model request; with error.type if it failed.',
      samples: models.flatMap((model) =>
        [...model.seconds].map(([failure, value]) => ({
          labels: { ...describe(model), ...(failure === '' ? {} : { 'error.type': failure }) },
          value,
        })),
      ),
    }),
  ];
}

function describe({ provider, model }: ModelCallCounts): Readonly<Record<string, string>> {
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': provider,
    'gen_ai.request.model': model,
  };
}

/** @see seed 002 §12.2 */
function inheritanceMetrics({ counts }: BoardState): readonly MetricFamily[] {
  const { runsStarted, runsInheriting } = counts;
  return [
    counter('agent_daemon_runs_inheriting', {
      help: 'Runs started by this process that inherited context from earlier runs.',
      samples: one(runsInheriting),
    }),
    gauge('agent_daemon_inheritance_ratio', {
      help: 'Share of the runs started by this process that inherited context from earlier runs.',
      samples: runsStarted === 0 ? [] : one(runsInheriting / runsStarted),
    }),
    histogram('agent_daemon_inherited_tokens', {
      help: 'Tokens inherited by a run.',
      samples: [{ value: counts.inheritedTokens }],
    }),
    histogram('agent_daemon_inheritance_depth', {
      help: 'Number of earlier runs in the inheritance chain of a run.',
      samples: [{ value: counts.inheritanceDepth }],
    }),
  ];
}

function platformMetrics({
  requests,
  notifications,
  looks,
  conditions,
}: BoardState): readonly MetricFamily[] {
  return [
    counter('agent_daemon_platform_requests', {
      help: 'Requests to a platform.',
      samples: byPlatform(requests, ({ made }) => made),
    }),
    counter('agent_daemon_platform_requests_unchanged', {
      help: 'Requests answered with "not modified", which do not count against the rate limit.',
      samples: byPlatform(requests, ({ unchanged }) => unchanged),
    }),
    counter('agent_daemon_notifications', {
      help: 'Comments created on a platform, which notify users; edits are not counted.',
      samples: byPlatform(notifications, (made) => made),
    }),
    counter('agent_daemon_platform_looks', {
      help: 'Polls for tasks on a platform.',
      samples: byPlatform(looks, ({ made }) => made),
    }),
    counter('agent_daemon_platform_looks_failed', {
      help: 'Polls for tasks that failed.',
      samples: byPlatform(looks, ({ failed }) => failed),
    }),
    gauge('agent_daemon_condition_ok', {
      help: 'Health of the parts that the daemon depends on: 1 or 0, by part.',
      samples: [...conditions.values()]
        .filter((condition) => !isOutbox(condition))
        .map(({ part, state }) => ({ labels: { part }, value: state === 'ok' ? 1 : 0 })),
    }),
  ];
}

function processMetrics({ memory, startedAt }: Measurements): readonly MetricFamily[] {
  return [
    gauge('process_resident_memory_bytes', { help: 'Memory of the process.', samples: one(memory.rss) }),
    gauge('process_heap_bytes', { help: 'Heap in use.', samples: one(memory.heapUsed) }),
    gauge('process_start_time_seconds', {
      help: 'When the process started.',
      samples: one(startedAt / 1_000),
    }),
  ];
}

function byPlatform<Counts>(
  platforms: ReadonlyMap<string, Counts>,
  read: (counts: Counts) => number,
): readonly MetricSample[] {
  return [...platforms].map(([platform, counts]) => ({ labels: { platform }, value: read(counts) }));
}
