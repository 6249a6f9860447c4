import { countValues, type MetricFamily, type MetricSample } from '@agent/orchestrator';
import { type HrTime, ValueType } from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import {
  AggregationTemporality,
  DataPointType,
  type MetricData,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { describeDaemon } from './describe-daemon.ts';

export interface StartMetricsOptions extends Pick<MetricDataOptions, 'startedAt' | 'redact'> {
  readonly exportIntervalMillis: number;
  readonly exportTimeoutMillis: number;
  readonly now: () => number;
}

/**
 * Sends metrics by OTLP over HTTP to where the standard variables of the process say. There are no instruments: what `/metrics`
 * shows is read when it is sent.
 *
 * @returns what sends them a last time and ends it
 */
export function startMetrics(
  read: () => Promise<readonly MetricFamily[]>,
  { startedAt, redact, now, ...times }: StartMetricsOptions,
): () => Promise<void> {
  const reader = new PeriodicExportingMetricReader({ exporter: new OTLPMetricExporter(), ...times });
  const resource = describeDaemon();
  reader.setMetricProducer({
    collect: async () => {
      const families = (await read()).filter(({ samples }) => samples.length > 0);
      const metrics = families.map((family) => toMetricData(family, { startedAt, now: now(), redact }));
      return {
        resourceMetrics: { resource, scopeMetrics: [{ scope: { name: '@agent/daemon' }, metrics }] },
        errors: [],
      };
    },
  });
  return () => reader.shutdown();
}

export interface MetricDataOptions {
  /** Milliseconds since 1970 since which counters count. */
  readonly startedAt: number;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly redact: (text: string) => string;
}

/** The same numbers as the SDK has them: counters and histograms since the start of the process. */
export function toMetricData(
  { name, unit, type, help, samples }: MetricFamily,
  { startedAt, now, redact }: MetricDataOptions,
): MetricData {
  const toPoint = ({ labels = {} }: MetricSample) => ({
    startTime: toHrTime(startedAt),
    endTime: toHrTime(now),
    attributes: Object.fromEntries(Object.entries(labels).map(([label, value]) => [label, redact(value)])),
  });
  const numbers = samples.flatMap((sample) =>
    typeof sample.value === 'number' ? [{ ...toPoint(sample), value: sample.value }] : [],
  );
  const histograms = samples.flatMap((sample) =>
    typeof sample.value === 'number' ? [] : [{ ...toPoint(sample), value: toSdkHistogram(sample.value) }],
  );
  const data = {
    descriptor: { name, unit: unit ?? '', description: help, valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  switch (type) {
    case 'counter':
      return { ...data, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: numbers };
    case 'gauge':
      return { ...data, dataPointType: DataPointType.GAUGE, dataPoints: numbers };
    case 'histogram':
      return { ...data, dataPointType: DataPointType.HISTOGRAM, dataPoints: histograms };
  }
}

function toSdkHistogram(histogram: Exclude<MetricSample['value'], number>) {
  const { bounds, counts, sum } = histogram;
  return { buckets: { boundaries: [...bounds], counts: [...counts] }, sum, count: countValues(histogram) };
}

function toHrTime(milliseconds: number): HrTime {
  return [Math.floor(milliseconds / 1_000), Math.round((milliseconds % 1_000) * 1e6)];
}
