import { TaskBoard } from '@agent/orchestrator';
import { createSecretFilters } from '@agent/text/outgoing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { allEvents } from '../../test/support/all-events.ts';
import { type MetricsOfOptions, openMetricsOf } from '../../test/support/metrics-of.ts';
import { parsePrometheus } from '../../test/support/parse-prometheus.ts';
import { serviceOf } from '../../test/support/service-of.ts';

async function open(options: MetricsOfOptions = {}) {
  const board = new TaskBoard({ now: () => 1_000 });
  const metrics = await openMetricsOf(board, options);
  onTestFinished(metrics.close);
  /** Reads the lines of one family. */
  const read = async (family: string) =>
    (await metrics.read()).split('\n').filter((line) => line.startsWith(family));
  return { ...metrics, board, readFamily: read };
}

describe('the metrics of a process', () => {
  it('are in the text format of Prometheus, and name no task [NX-407]', async () => {
    const { observe, read } = await open();
    expect(parsePrometheus(await read()).samples.length).toBeGreaterThan(20);
    observe(...allEvents);
    const text = await read();
    const { families, samples } = parsePrometheus(text);
    expect(families.get('target_info')).toBe('gauge');
    expect(families.get('agent_daemon_runs_started_total')).toBe('counter');
    expect(families.get('gen_ai_client_operation_duration_seconds')).toBe('histogram');
    expect(text).not.toMatch(/acme\/shop#|u1|wrong/);
    expect(samples.every(({ labels }) => !('otel_scope_name' in labels))).toBe(true);
  });

  it('show counters as 0 from the start', async () => {
    const { readFamily } = await open();
    expect(await readFamily('agent_daemon_runs_started_total')).toEqual([
      'agent_daemon_runs_started_total 0',
    ]);
    expect(await readFamily('agent_daemon_runs_ended_total')).toHaveLength(7);
    expect(await readFamily('agent_daemon_tool_calls_total{')).toHaveLength(2);
  });

  it('count runs, tokens and costs', async () => {
    const { observe, read } = await open();
    observe(...allEvents);
    const text = await read();
    for (const line of [
      'agent_daemon_runs_started_total 1',
      'agent_daemon_runs_ended_total{outcome="failed"} 1',
      'agent_daemon_run_duration_seconds_count{outcome="failed"} 1',
      'agent_daemon_model_calls_total 1',
      'agent_daemon_tool_calls_total{status="error"} 1',
      'agent_daemon_tokens_total{direction="input"} 100',
      'agent_daemon_tokens_by_kind_total{kind="cached_input"} 50',
      'agent_daemon_cost_total 2.5',
    ])
      expect(text).toContain(`${line}\n`);
  });

  it('say how often runs inherit context, how much and how far back [CI-71] [CI-72] [CI-73]', async () => {
    const { observe, read, readFamily } = await open();
    observe(
      { type: 'inheritance', depth: 1, tokens: 700 },
      { type: 'inheritance', depth: 4, tokens: 20_000 },
    );
    expect(await readFamily('agent_daemon_inherited_tokens_')).toEqual([
      'agent_daemon_inherited_tokens_count 2',
      'agent_daemon_inherited_tokens_sum 20700',
      'agent_daemon_inherited_tokens_bucket{le="500"} 0',
      ...['1000', '2000', '4000', '8000', '16000'].map(
        (bound) => `agent_daemon_inherited_tokens_bucket{le="${bound}"} 1`,
      ),
      'agent_daemon_inherited_tokens_bucket{le="+Inf"} 2',
    ]);
    const text = await read();
    expect(text).toContain('agent_daemon_runs_inheriting_total 2\n');
    expect(text).toContain('agent_daemon_inheritance_depth_bucket{le="5"} 2\n');
  });

  it('count the comments of which users are notified, by platform [NX-237]', async () => {
    const { observe, readFamily } = await open();
    observe({ type: 'comment', platform: 'github' }, { type: 'comment', platform: 'github' });
    expect(await readFamily('agent_daemon_notifications')).toEqual([
      'agent_daemon_notifications_total{platform="github"} 2',
    ]);
  });

  it('measure requests by class of route and of status, git by operation, and the time in the queue [NX-425]', async () => {
    const { observe, readFamily } = await open();
    observe(...allEvents);
    const labels = 'platform="github",route="issues.list",http_request_method="GET"';
    expect(await readFamily('http_client_request_duration_seconds_sum')).toEqual([
      `http_client_request_duration_seconds_sum{${labels},status="2xx"} 0.3`,
      `http_client_request_duration_seconds_sum{${labels},status="3xx"} 0.3`,
      `http_client_request_duration_seconds_sum{${labels},error_type="TimeoutError"} 0.3`,
    ]);
    expect(await readFamily('agent_daemon_platform_requests_')).toEqual([
      'agent_daemon_platform_requests_total{platform="github"} 3',
      'agent_daemon_platform_requests_unchanged_total{platform="github"} 1',
    ]);
    expect(await readFamily('agent_daemon_git_duration_seconds_sum')).toEqual([
      'agent_daemon_git_duration_seconds_sum{operation="fetch",status="success"} 2',
    ]);
    expect(await readFamily('agent_daemon_queue_time_seconds_sum')).toEqual([
      'agent_daemon_queue_time_seconds_sum{kind="new"} 90',
    ]);
  });

  it('measure requests to models by the names of the convention, failed ones by the kind of their failure [NX-406]', async () => {
    const { observe, read, readFamily } = await open();
    observe(...allEvents);
    const labels = 'gen_ai_operation_name="chat",gen_ai_provider_name="openai",gen_ai_request_model="m"';
    expect(await readFamily('gen_ai_client_operation_duration_seconds_sum')).toEqual([
      `gen_ai_client_operation_duration_seconds_sum{${labels}} 1.5`,
      `gen_ai_client_operation_duration_seconds_sum{${labels},error_type="timeout"} 1.5`,
    ]);
    expect(await readFamily('gen_ai_client_token_usage_sum')).toEqual([
      `gen_ai_client_token_usage_sum{${labels},gen_ai_token_type="input"} 300`,
      `gen_ai_client_token_usage_sum{${labels},gen_ai_token_type="output"} 20`,
    ]);
    const { samples } = parsePrometheus(await read());
    const boundsOf = (name: string) => [
      ...new Set(samples.filter((one) => one.name === name).map((one) => Number(one.labels.le))),
    ];
    expect(boundsOf('gen_ai_client_token_usage_bucket').slice(0, -1)).toEqual([
      ...[1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144],
      ...[1_048_576, 4_194_304, 16_777_216, 67_108_864],
    ]);
    expect(boundsOf('gen_ai_client_operation_duration_seconds_bucket').slice(0, -1)).toEqual([
      0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
    ]);
  });

  it.each([
    ['openai.responses', 'openai'],
    ['google.generative-ai', 'gcp.gemini'],
    ['amazon-bedrock', 'aws.bedrock'],
    ['azure.responses', 'azure.ai.inference'],
    ['house.made', 'house.made'],
  ])('name the provider %s as the convention does, %s [NX-406]', async (provider, name) => {
    const { observe, read } = await open();
    const call = { model: 'm', durationMs: 1, inputTokens: null, outputTokens: null, failure: null };
    observe({ type: 'model-call', provider, ...call });
    expect(await read()).toContain(`gen_ai_provider_name="${name}"`);
  });

  it('show requests left by budget, the age of the oldest waiting task, and the last poll of each repository [NX-426]', async () => {
    const { observe, read } = await open({
      queue: { waiting: async () => [{ since: 55_000 }, { since: 31_000 }] },
      platforms: () => [
        {
          platform: { name: 'github' } as never,
          requestsLeft: () => ({ left: 4_100, limit: 5_000, resetsAt: null }),
          contentsLeft: () => ({ left: 12, limit: 500 }),
        },
        { platform: { name: 'gitlab' } as never, requestsLeft: () => null },
      ],
    });
    observe(...allEvents);
    const text = await read();
    for (const line of [
      'agent_daemon_requests_left{platform="github",budget="primary"} 4100',
      'agent_daemon_requests_left{platform="github",budget="content"} 12',
      'agent_daemon_requests_limit{platform="github",budget="content"} 500',
      'agent_daemon_tasks{state="queued"} 2',
      'agent_daemon_oldest_waiting_task_seconds 30',
      'agent_daemon_last_poll_timestamp_seconds{platform="github",repository="acme/shop"} 1',
    ])
      expect(text).toContain(`${line}\n`);
    expect(text).not.toMatch(/requests_left\{platform="gitlab"/);
  });

  it('count what ended runs could not do outside yet, and drop a label that is gone [NX-94]', async () => {
    const { board, observe, read, readFamily } = await open();
    const seen = { type: 'outbox', uuid: 'u', name: 'acme/shop#1' } as const;
    observe(
      { ...seen, open: { kinds: ['comment', 'label'], reason: 'comment: 403' } },
      { type: 'look', platform: 'github', error: 'down' },
    );
    const before = await read();
    expect(before).toContain('agent_daemon_outbox_open{kind="comment"} 1\n');
    expect(before).toContain('agent_daemon_problems{cause="platform_away"} 1\n');
    expect(before).not.toContain('part="outbox');
    observe({ ...seen, open: null }, { type: 'look', platform: 'github', error: null });
    expect(await readFamily('agent_daemon_outbox_open{kind="comment"}')).toEqual([
      'agent_daemon_outbox_open{kind="comment"} 0',
    ]);
    expect(await read()).not.toContain('cause="platform_away"');
    expect(serviceOf(board).problems).toEqual([]);
  });

  it('leave out a number that could not be read, rather than showing 0', async () => {
    const errors: unknown[] = [];
    const { readFamily } = await open({
      countResting: () => Promise.reject(new Error('EIO')),
      onError: (error) => errors.push(error),
    });
    const tasks = (await readFamily('agent_daemon_tasks{')).map((line) => /state="(\w+)"/.exec(line)?.[1]);
    expect(tasks).toEqual(['running', 'queued']);
    expect(await readFamily('agent_daemon_held_changes')).toEqual([]);
    expect(errors).toHaveLength(2);
  });

  it('count the changes that a user has to allow', async () => {
    const { read } = await open({ countResting: async () => ({ paused: 3, inReview: 4, held: 2 }) });
    const text = await read();
    for (const line of ['tasks{state="paused"} 3', 'tasks{state="in_review"} 4', 'held_changes 2'])
      expect(text).toContain(`agent_daemon_${line}\n`);
  });

  it('have no secret in a label [NX-407]', async () => {
    const secret = 'correct-horse-battery-staple';
    const { redactOutgoing: redact } = createSecretFilters([secret]);
    const { observe, read } = await open({ redact });
    observe(
      { type: 'condition', part: `place:${secret}`, state: 'failed', reason: null },
      { type: 'comment', platform: secret },
    );
    const text = await read();
    expect(text).not.toContain(secret);
    expect(text).toContain('agent_daemon_condition_ok{part="place:');
  });
});
