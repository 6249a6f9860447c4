import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import {
  type AggregationTemporalitySelector,
  type MetricData,
  MetricReader,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics';

/** Reads when it is asked, and not before. The exporter itself would open a port. */
class ScrapeReader extends MetricReader {
  protected async onForceFlush(): Promise<void> {}

  protected async onShutdown(): Promise<void> {}
}

/** Creates a reader of metrics, and the function that reads them in the text format of Prometheus. */
export function createScrapeReader(aggregationTemporalitySelector: AggregationTemporalitySelector): {
  readonly reader: MetricReader;
  readonly read: () => Promise<string>;
} {
  const reader = new ScrapeReader({ aggregationTemporalitySelector });
  const serializer = new PrometheusSerializer('', false, undefined, false, true);
  return {
    reader,
    read: async () => {
      const { resourceMetrics, errors } = await reader.collect();
      if (errors.length > 0) throw errors[0];
      return serializer.serialize(toScraped(resourceMetrics));
    },
  };
}

const suffixes: Readonly<Record<string, string>> = { s: '_seconds', By: '_bytes' };

/** Adds units to names, as Prometheus has them. @see https://opentelemetry.io/docs/specs/otel/compatibility/prometheus_and_openmetrics/ */
function toScraped({ resource, scopeMetrics }: ResourceMetrics): ResourceMetrics {
  const rename = (metric: MetricData): MetricData => {
    const { descriptor } = metric;
    const suffix = suffixes[descriptor.unit] ?? '';
    const name = descriptor.name.endsWith(suffix) ? descriptor.name : `${descriptor.name}${suffix}`;
    return { ...metric, descriptor: { ...descriptor, name, unit: '' } };
  };
  return {
    resource,
    scopeMetrics: scopeMetrics.map(({ scope, metrics }) => ({ scope, metrics: metrics.map(rename) })),
  };
}
