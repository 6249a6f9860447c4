import type { MetricFamily } from '@agent/orchestrator';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { describeDaemon } from './describe-daemon.ts';
import { type MetricDataOptions, toMetricData } from './to-metric-data.ts';

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
