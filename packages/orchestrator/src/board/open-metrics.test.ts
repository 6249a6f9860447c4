import { describe, expect, it } from 'vitest';
import { formatOpenMetrics } from './open-metrics.ts';

describe('formatOpenMetrics', () => {
  it('writes type, help and samples of a family, counters with their suffix, and ends with EOF', () => {
    const text = formatOpenMetrics([
      { name: 'runs', type: 'counter', help: 'Runs.', samples: [{ value: 2 }] },
      { name: 'tasks', type: 'gauge', help: 'Tasks.', samples: [{ labels: { state: 'running' }, value: 1 }] },
      { name: 'none', type: 'gauge', help: 'None.', samples: [] },
    ]);
    expect(text).toBe(
      [
        '# TYPE runs counter',
        '# HELP runs Runs.',
        'runs_total 2',
        '# TYPE tasks gauge',
        '# HELP tasks Tasks.',
        'tasks{state="running"} 1',
        '# EOF',
        '',
      ].join('\n'),
    );
  });

  it('escapes what a label may not hold', () => {
    const text = formatOpenMetrics([
      { name: 'x', type: 'gauge', help: 'a\nb', samples: [{ labels: { platform: 'a"b\\c\nd' }, value: 1 }] },
    ]);
    expect(text).toContain('x{platform="a\\"b\\\\c\\nd"} 1');
    expect(text).toContain('# HELP x a\\nb');
  });

  it('writes names of OpenTelemetry as scrapers spell them, and the buckets of a histogram [NX-407]', () => {
    const value = { bounds: [0.01, 1], counts: [1, 2, 1], sum: 4.5 };
    const text = formatOpenMetrics([
      {
        ...{ name: 'gen_ai.client.operation.duration', unit: 's', type: 'histogram', help: 'Time.' },
        samples: [{ labels: { 'gen_ai.request.model': 'm' }, value }],
      },
      {
        ...{ name: 'gen_ai.client.token.usage', unit: '{token}', type: 'gauge', help: 'Tokens.' },
        samples: [{ value: 1 }],
      },
    ]);
    expect(text.split('\n')).toEqual([
      '# TYPE gen_ai_client_operation_duration_seconds histogram',
      '# HELP gen_ai_client_operation_duration_seconds Time.',
      'gen_ai_client_operation_duration_seconds_bucket{gen_ai_request_model="m",le="0.01"} 1',
      'gen_ai_client_operation_duration_seconds_bucket{gen_ai_request_model="m",le="1.0"} 3',
      'gen_ai_client_operation_duration_seconds_bucket{gen_ai_request_model="m",le="+Inf"} 4',
      'gen_ai_client_operation_duration_seconds_count{gen_ai_request_model="m"} 4',
      'gen_ai_client_operation_duration_seconds_sum{gen_ai_request_model="m"} 4.5',
      '# TYPE gen_ai_client_token_usage gauge',
      '# HELP gen_ai_client_token_usage Tokens.',
      'gen_ai_client_token_usage 1',
      '# EOF',
      '',
    ]);
  });
});
