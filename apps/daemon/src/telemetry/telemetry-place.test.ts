import { expect, it } from 'vitest';
import {
  findMetricsEndpoint,
  findTracesEndpoint,
  readMetricsHeaders,
  readMetricTimes,
} from './telemetry-place.ts';

const on = { enabled: true };
const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318/' };

it('sends metrics where the standard variables say so, and nowhere without them [NX-408]', () => {
  const cases: readonly (readonly [Readonly<Record<string, string>>, string | null])[] = [
    [{}, null],
    [collector, 'http://127.0.0.1:4318/v1/metrics'],
    [{ ...collector, OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'http://m/x' }, 'http://m/x'],
    [{ ...collector, OTEL_METRICS_EXPORTER: 'none' }, null],
    [{ ...collector, OTEL_METRICS_EXPORTER: 'prometheus' }, null],
    [{ ...collector, OTEL_METRICS_EXPORTER: 'console, OTLP' }, 'http://127.0.0.1:4318/v1/metrics'],
    [{ OTEL_METRICS_EXPORTER: 'otlp' }, 'http://localhost:4318/v1/metrics'],
    [{ ...collector, OTEL_SDK_DISABLED: 'true' }, null],
  ];
  for (const [environment, endpoint] of cases) expect(findMetricsEndpoint(on, environment)).toBe(endpoint);
  expect(findMetricsEndpoint({ enabled: false }, collector)).toBe(null);
});

it('sends traces and metrics each by variables of their own [NX-408]', () => {
  const environment = { ...collector, OTEL_TRACES_EXPORTER: 'none' };
  expect(findTracesEndpoint(on, environment)).toBe(null);
  expect(findMetricsEndpoint(on, environment)).not.toBe(null);
  const headers = { OTEL_EXPORTER_OTLP_HEADERS: 'a=1', OTEL_EXPORTER_OTLP_METRICS_HEADERS: 'b=2%203' };
  expect(readMetricsHeaders(headers)).toEqual({ a: '1', b: '2 3' });
});

it('waits between metrics as long as it is told to, and as usual where that is no time [NX-408]', () => {
  const usual = { exportIntervalMillis: 60_000, exportTimeoutMillis: 30_000 };
  expect(readMetricTimes({})).toEqual(usual);
  expect(readMetricTimes({ OTEL_METRIC_EXPORT_INTERVAL: 'often' })).toEqual(usual);
  expect(readMetricTimes({ OTEL_METRIC_EXPORT_INTERVAL: '200' })).toEqual({
    exportIntervalMillis: 200,
    exportTimeoutMillis: 200,
  });
});
