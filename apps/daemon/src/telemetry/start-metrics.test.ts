import { counter, gauge, histogram } from '@agent/orchestrator';
import { createSecretFilters } from '@agent/text/outgoing';
import { AggregationTemporality, DataPointType } from '@opentelemetry/sdk-metrics';
import { expect, it } from 'vitest';
import { toMetricData } from './start-metrics.ts';

const secret = 'correct-horse-battery-staple';
const { redactOutgoing: redact } = createSecretFilters([secret]);
const options = { startedAt: 1_500, now: 3_250, redact };
const times = { startTime: [1, 500_000_000], endTime: [3, 250_000_000] };

it('makes sums, gauges and histograms of the SDK, since the start of the process [NX-407]', () => {
  const samples = [{ labels: { state: 'running' }, value: 2 }];
  const attributes = { state: 'running' };
  expect(toMetricData(counter('runs', { help: 'Runs.', samples }), options)).toMatchObject({
    descriptor: { name: 'runs', unit: '', description: 'Runs.' },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
    dataPointType: DataPointType.SUM,
    isMonotonic: true,
    dataPoints: [{ ...times, attributes, value: 2 }],
  });
  expect(toMetricData(gauge('tasks', { help: 'Tasks.', samples }), options)).toMatchObject({
    dataPointType: DataPointType.GAUGE,
    dataPoints: [{ ...times, attributes, value: 2 }],
  });
  const value = { bounds: [1, 4], counts: [1, 0, 2], sum: 21 };
  const sizes = histogram('sizes', { unit: '{token}', help: 'Sizes.', samples: [{ value }] });
  expect(toMetricData(sizes, options)).toMatchObject({
    descriptor: { name: 'sizes', unit: '{token}' },
    dataPointType: DataPointType.HISTOGRAM,
    dataPoints: [
      { attributes: {}, value: { buckets: { boundaries: [1, 4], counts: [1, 0, 2] }, sum: 21, count: 3 } },
    ],
  });
});

it('no secret leaves in a label [NX-407]', () => {
  const samples = [{ labels: { part: `place:${secret}` }, value: 1 }];
  const sent = toMetricData(gauge('ok', { help: 'Ok.', samples }), options);
  expect(JSON.stringify(sent)).not.toContain(secret);
});
