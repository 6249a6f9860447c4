import { noTelemetry, type RunTelemetry } from '@agent/orchestrator';
import type { Environment } from '@agent/workspace';
import type { DaemonLogger } from '../log/logger.ts';
import type { DaemonMetrics, StartMetricsOptions } from './start-metrics.ts';
import { findMetricsEndpoint, findTracesEndpoint, readMetricTimes } from './telemetry-place.ts';

/** Milliseconds that the end of the daemon waits for a receiver, of traces and of metrics. */
const patienceMs = 5_000;

export interface OpenTelemetryOptions {
  readonly redact: (text: string) => string;
  readonly logger: DaemonLogger;
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly now: () => number;
}

/** Telemetry of the daemon. */
export interface DaemonTelemetry {
  readonly runs: RunTelemetry;
  /** Null if metrics are neither served nor sent. */
  readonly metrics: DaemonMetrics | null;
  /** Sends the traces that were not sent yet. */
  readonly close: () => Promise<void>;
}

/** Opens the telemetry that the configuration and the environment ask for. Nothing of the SDK is loaded where it is none. */
export async function openTelemetry(
  {
    telemetry,
    environment,
    servesMetrics,
  }: {
    readonly telemetry: { readonly enabled: boolean; readonly content: boolean };
    readonly environment: Environment;
    /** True if `/metrics` is served. */
    readonly servesMetrics: boolean;
  },
  { sleep, redact, logger, now }: OpenTelemetryOptions,
): Promise<DaemonTelemetry> {
  const traces = findTracesEndpoint(telemetry, environment);
  const endpoint = findMetricsEndpoint(telemetry, environment);
  if (traces === null && endpoint === null && !servesMetrics)
    return { runs: noTelemetry, metrics: null, close: async () => {} };
  // The SDK reads the variables of the process itself; those of the `.env` beside the configuration count, too.
  for (const [name, value] of Object.entries(environment))
    if (name.startsWith('OTEL_') && value !== undefined) process.env[name] = value;
  const { hearDiagnostics } = await import('./hear-diagnostics.ts');
  const stopHearing = hearDiagnostics({ redact, logger });
  const started = traces === null ? null : await openTraces(telemetry.content, redact);
  if (started !== null) logger.info({ endpoint: traces, content: telemetry.content }, 'sending traces');
  const sent = endpoint === null ? null : readMetricTimes(environment);
  const metrics =
    sent === null && !servesMetrics ? null : await openMetrics({ scraped: servesMetrics, sent, redact, now });
  if (endpoint !== null) logger.info({ endpoint }, 'sending metrics');
  const endInTime = async (end: () => Promise<void>) => {
    const ended = new AbortController();
    await Promise.race([end().catch(() => {}), sleep(patienceMs, ended.signal)]);
    ended.abort();
  };
  const runs = started?.runs ?? noTelemetry;
  return {
    runs: {
      ...runs,
      observe: (event) => {
        runs.observe(event);
        metrics?.observe(event);
      },
    },
    metrics: metrics && { ...metrics, close: () => endInTime(metrics.close) },
    close: async () => {
      if (started !== null) await endInTime(started.close);
      stopHearing();
    },
  };
}

async function openMetrics(options: StartMetricsOptions): Promise<DaemonMetrics> {
  const { startMetrics } = await import('./start-metrics.ts');
  return startMetrics(options);
}

async function openTraces(content: boolean, redact: (text: string) => string) {
  const { startTelemetry } = await import('./start-telemetry.ts');
  return startTelemetry({ content, redact });
}
