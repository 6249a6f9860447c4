import type { ObserveBoard } from '@agent/orchestrator';
import { measureState, measureWork, type StateSources } from '@agent/orchestrator/telemetry';
import { mapTexts } from '@agent/text';
import {
  AggregationTemporality,
  InstrumentType,
  MeterProvider,
  type MetricReader,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { describeDaemon } from './describe-daemon.ts';

export interface StartMetricsOptions {
  /** True to read metrics in the text format of Prometheus. */
  readonly scraped: boolean;
  /** Times of the metrics that are sent by OTLP; null to send none. */
  readonly sent: { readonly exportIntervalMillis: number; readonly exportTimeoutMillis: number } | null;
  readonly redact: (text: string) => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Metrics of this process. */
export interface DaemonMetrics {
  /** Counts what happens. */
  readonly observe: ObserveBoard;
  /** Adds the state of the process, which is read whenever metrics are. */
  readonly addState: (sources: StateSources) => void;
  /** Reads all of them in the text format of Prometheus; null if they are only sent. */
  readonly read: (() => Promise<string>) | null;
  /** Sends them a last time and ends. */
  readonly close: () => Promise<void>;
}

/** Measures this process, for Prometheus and for a receiver of OTLP at the address in the standard variables. */
export async function startMetrics({
  scraped,
  sent,
  redact,
  now,
}: StartMetricsOptions): Promise<DaemonMetrics> {
  const scraping = scraped ? await openScrapeReader() : null;
  const sending = sent === null ? null : await openSendReader(sent);
  const readers = [scraping?.reader, sending].filter((reader) => reader != null);
  const meters = readers.map((reader) => openMeter(reader, redact));
  const observers = meters.map(({ meter }) => measureWork({ meter, now }));
  return {
    observe: (event) => {
      for (const observe of observers) observe(event);
    },
    addState: (sources) => {
      for (const { meter } of meters) measureState(meter, sources);
    },
    read: scraping?.read ?? null,
    close: async () => {
      await Promise.all(meters.map(({ provider }) => provider.shutdown()));
    },
  };
}

async function openScrapeReader() {
  const { createScrapeReader } = await import('./scrape-reader.ts');
  return createScrapeReader(selectTemporality);
}

/** Opens a reader that sends by OTLP over HTTP to where the standard variables of the process say. */
async function openSendReader(times: NonNullable<StartMetricsOptions['sent']>): Promise<MetricReader> {
  const { OTLPMetricExporter } = await import('@opentelemetry/exporter-metrics-otlp-http');
  const exporter = new OTLPMetricExporter();
  exporter.selectAggregationTemporality = selectTemporality;
  return new PeriodicExportingMetricReader({ exporter, ...times });
}

/**
 * Observed values are those of now, without labels that are gone. All other values are counted since the start of the process,
 * whatever the standard variables say.
 */
function selectTemporality(type: InstrumentType): AggregationTemporality {
  return type === InstrumentType.OBSERVABLE_GAUGE
    ? AggregationTemporality.DELTA
    : AggregationTemporality.CUMULATIVE;
}

/** Each reader has a provider of its own: readers of one provider receive what the other has observed. No secret leaves in a label. */
function openMeter(reader: MetricReader, redact: (text: string) => string) {
  const provider = new MeterProvider({
    resource: describeDaemon(),
    readers: [reader],
    views: [
      {
        instrumentName: '*',
        attributesProcessors: [{ process: (attributes) => mapTexts(attributes, redact) }],
      },
    ],
  });
  return { provider, meter: provider.getMeter('@agent/daemon') };
}
