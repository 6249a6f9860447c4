import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { selectTemporality } from './select-temporality.ts';

/** Creates a reader that sends metrics by OTLP over HTTP to where the standard variables of the process say. */
export function createSendReader(times: {
  readonly exportIntervalMillis: number;
  readonly exportTimeoutMillis: number;
}): PeriodicExportingMetricReader {
  const exporter = new OTLPMetricExporter();
  exporter.selectAggregationTemporality = selectTemporality;
  return new PeriodicExportingMetricReader({ exporter, ...times });
}
