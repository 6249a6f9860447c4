import { outcomes } from '@agent/run-store';
import type { RunEvent } from '@agent/runner';
import type { Attributes, Counter, Histogram, Meter } from '@opentelemetry/api';
import type { BoardEvent, ModelCall, ObserveBoard, PlatformRequest } from '../board/board-event.ts';

/** Options of `measureWork`. */
export interface MeasureWorkOptions {
  readonly meter: Meter;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/** Receives the events of one type. */
type Listeners = {
  readonly [Type in BoardEvent['type']]?: (event: Extract<BoardEvent, { readonly type: Type }>) => void;
};

/**
 * Measures what a process does, with the counters and histograms of a meter. All labels have few values, and none is a task.
 *
 * @example
 * const observe = measureWork({ meter: provider.getMeter('my-agent') });
 * createOrchestrator({ telemetry: { ...noTelemetry, observe }, platforms, model, directory });
 */
export function measureWork({ meter, now = Date.now }: MeasureWorkOptions): ObserveBoard {
  const open = openInstruments(meter);
  const listeners: Listeners = {
    ...listenToRuns(open, now),
    ...listenToModels(open),
    ...listenToPlatforms(open),
  };
  return (event) => (listeners[event.type] as ((event: BoardEvent) => void) | undefined)?.(event);
}

interface Instruments {
  /** Creates a counter that shows 0 for these labels from its beginning. */
  readonly counter: (name: string, description: string, zeros?: readonly Attributes[]) => Counter;
  readonly histogram: (name: string, options: HistogramOptions) => Histogram;
}

interface HistogramOptions {
  readonly description: string;
  readonly unit?: string | undefined;
  /** Upper bounds of the buckets, ascending. */
  readonly bounds: readonly number[];
}

function openInstruments(meter: Meter): Instruments {
  return {
    counter: (name, description, zeros = [{}]) => {
      const counter = meter.createCounter(name, { description });
      for (const attributes of zeros) counter.add(0, attributes);
      return counter;
    },
    histogram: (name, { description, unit, bounds }) =>
      meter.createHistogram(name, {
        description,
        ...(unit === undefined ? {} : { unit }),
        advice: { explicitBucketBoundaries: [...bounds] },
      }),
  };
}

const each = (label: string, values: readonly string[]): readonly Attributes[] =>
  values.map((value) => ({ [label]: value }));

/** From ten seconds to four hours. */
const runBounds = [10, 30, 60, 120, 300, 600, 1_200, 1_800, 3_600, 7_200, 14_400];

/** From a second to twelve hours. */
const queueBounds = [1, 5, 15, 30, 60, 120, 300, 600, 1_800, 3_600, 14_400, 43_200];

const gitBounds = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

function listenToRuns({ counter, histogram }: Instruments, now: () => number): Listeners {
  const begins = new Map<string, number>();
  const started = counter('agent_daemon_runs_started', 'Runs started by this process.');
  const resumed = counter('agent_daemon_runs_resumed', 'Runs resumed by this process.');
  const ended = counter('agent_daemon_runs_ended', 'Runs ended, by outcome.', each('outcome', outcomes));
  const duration = histogram('agent_daemon_run_duration_seconds', {
    description: 'Time from the start of a run in this process, or its resumption, to its end, by outcome.',
    ...{ unit: 's', bounds: runBounds },
  });
  const queueTime = histogram('agent_daemon_queue_time_seconds', {
    description: 'Time from the moment at which a task could start to its start, by kind.',
    ...{ unit: 's', bounds: queueBounds },
  });
  const actions = counter(
    'agent_daemon_plan_actions',
    'Finished plan actions, by result.',
    each('result', ['succeeded', 'failed']),
  );
  const inheriting = counter(
    'agent_daemon_runs_inheriting',
    'Runs started by this process that inherited context from earlier runs.',
  );
  const tokens = histogram('agent_daemon_inherited_tokens', {
    description: 'Tokens inherited by a run.',
    bounds: [500, 1_000, 2_000, 4_000, 8_000, 16_000],
  });
  const depth = histogram('agent_daemon_inheritance_depth', {
    description: 'Number of earlier runs in the inheritance chain of a run.',
    bounds: [1, 2, 3, 5, 10, 20],
  });
  const git = histogram('agent_daemon_git_duration_seconds', {
    description: 'Duration of a git command, by operation and status.',
    ...{ unit: 's', bounds: gitBounds },
  });
  return {
    'queue-begin': ({ kind, waitedMs }) => queueTime.record(waitedMs / 1_000, { kind }),
    'task-begin': ({ task, resumed: isResumed }) => {
      begins.set(task.uuid, now());
      (isResumed ? resumed : started).add(1);
    },
    'run-end': ({ uuid, outcome }) => {
      const begunAt = begins.get(uuid);
      if (outcome === null) return;
      ended.add(1, { outcome });
      if (begunAt !== undefined) duration.record(Math.max(0, now() - begunAt) / 1_000, { outcome });
    },
    'task-leave': ({ uuid }) => void begins.delete(uuid),
    plan: ({ ended: result }) => (result === null ? undefined : actions.add(1, { result })),
    inheritance: (inherited) => {
      inheriting.add(1);
      tokens.record(inherited.tokens);
      depth.record(inherited.depth);
    },
    git: ({ operation, failed, durationMs }) =>
      git.record(durationMs / 1_000, { operation, status: failed ? 'error' : 'success' }),
  };
}

/** Bounds that the convention gives. @see https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-metrics/ */
const tokenBounds = Array.from({ length: 14 }, (_, power) => 4 ** power);

/** Bounds that the convention gives: each twice the one before, from 10 ms to 81.92 s. */
const modelBounds = Array.from({ length: 14 }, (_, power) => 2 ** power / 100);

function listenToModels({ counter, histogram }: Instruments): Listeners {
  const usage = histogram('gen_ai.client.token.usage', {
    description: 'Tokens of a model request, as counted by its provider.',
    ...{ unit: '{token}', bounds: tokenBounds },
  });
  const duration = histogram('gen_ai.client.operation.duration', {
    description: 'Duration of a model request; with error.type if it failed.',
    ...{ unit: 's', bounds: modelBounds },
  });
  const answers = counter('agent_daemon_model_calls', 'Answers from the model.');
  const toolCalls = counter(
    'agent_daemon_tool_calls',
    'Tool calls, by result.',
    each('status', ['success', 'error']),
  );
  const tokens = counter(
    'agent_daemon_tokens',
    'Tokens as counted by the model endpoint.',
    each('direction', ['input', 'output']),
  );
  const tokensByKind = counter(
    'agent_daemon_tokens_by_kind',
    'Tokens by kind, if the provider reports it: input from its cache, output used for reasoning.',
    each('kind', ['cached_input', 'reasoning']),
  );
  const cost = counter(
    'agent_daemon_cost',
    'Cost of all calls of runs, in the currency set in llm.currency.',
  );
  const listen = (event: RunEvent): void => {
    if (event.type === 'tool-end') toolCalls.add(1, { status: event.status });
    if (event.type !== 'model-answer') return;
    const { inputTokens, outputTokens, cachedInputTokens = 0, reasoningTokens = 0 } = event.usage;
    answers.add(1);
    tokens.add(inputTokens, { direction: 'input' });
    tokens.add(outputTokens, { direction: 'output' });
    tokensByKind.add(cachedInputTokens, { kind: 'cached_input' });
    tokensByKind.add(reasoningTokens, { kind: 'reasoning' });
  };
  return {
    'run-event': ({ event }) => listen(event),
    'call-cost': ({ micros }) => cost.add(micros / 1_000_000),
    'model-call': (call) => {
      const labels = describeModel(call);
      const { inputTokens, outputTokens, failure, durationMs } = call;
      if (inputTokens !== null) usage.record(inputTokens, { ...labels, 'gen_ai.token.type': 'input' });
      if (outputTokens !== null) usage.record(outputTokens, { ...labels, 'gen_ai.token.type': 'output' });
      duration.record(durationMs / 1_000, failure === null ? labels : { ...labels, 'error.type': failure });
    },
  };
}

function describeModel({ provider, model }: ModelCall): Attributes {
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': toProviderName(provider),
    'gen_ai.request.model': model,
  };
}

/** Names by the convention, as spans have them. @see https://opentelemetry.io/docs/specs/semconv/registry/attributes/gen-ai/ */
const providerNames: Readonly<Record<string, string>> = {
  'amazon-bedrock': 'aws.bedrock',
  azure: 'azure.ai.inference',
  google: 'gcp.gemini',
};

/** Endpoints of one provider are one: what stands behind the dot says which. Others stay as they are. */
function toProviderName(provider: string): string {
  const [name = ''] = provider.split('.');
  if (name === 'openai' || name === 'anthropic') return name;
  return providerNames[name] ?? provider;
}

/** Bounds that the convention gives, and 30 s. @see https://opentelemetry.io/docs/specs/semconv/http/http-metrics/ */
const requestBounds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 30];

function listenToPlatforms({ counter, histogram }: Instruments): Listeners {
  const requests = counter('agent_daemon_platform_requests', 'Requests to a platform.', []);
  const unchanged = counter(
    'agent_daemon_platform_requests_unchanged',
    'Requests answered with "not modified", which do not count against the rate limit.',
    [],
  );
  const duration = histogram('http.client.request.duration', {
    description:
      'Time until a platform answers, by class of route and of status; with error.type if it does not.',
    ...{ unit: 's', bounds: requestBounds },
  });
  const comments = counter(
    'agent_daemon_notifications',
    'Comments created on a platform, which notify users; edits are not counted.',
    [],
  );
  const polls = counter('agent_daemon_platform_looks', 'Polls for tasks on a platform.', []);
  const failedPolls = counter('agent_daemon_platform_looks_failed', 'Polls for tasks that failed.', []);
  return {
    request: (request) => {
      const { platform, status, durationMs } = request;
      requests.add(1, { platform });
      unchanged.add(status === 304 ? 1 : 0, { platform });
      duration.record(durationMs / 1_000, describeRequest(request));
    },
    comment: ({ platform }) => comments.add(1, { platform }),
    look: ({ platform, error }) => {
      polls.add(1, { platform });
      failedPolls.add(error === null ? 0 : 1, { platform });
    },
  };
}

function describeRequest({ platform, route, method, status, error }: PlatformRequest): Attributes {
  const request = { platform, route, 'http.request.method': method };
  if (status === null) return { ...request, 'error.type': error ?? '_OTHER' };
  return { ...request, status: `${Math.floor(status / 100)}xx` };
}
