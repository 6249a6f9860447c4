import { type MetricFamily, noTelemetry, type RunTelemetry } from '@agent/orchestrator';
import type { Environment } from '@agent/workspace';
import type { DaemonLogger } from '../log/logger.ts';
import { findMetricsEndpoint, findTracesEndpoint, readMetricTimes } from './telemetry-place.ts';

/** Milliseconds that the end of the daemon waits for a receiver, of traces and of metrics. */
const patienceMs = 5_000;

export interface OpenTelemetryOptions {
  readonly redact: (text: string) => string;
  readonly logger: DaemonLogger;
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly now: () => number;
}

/** Sends metrics from now on, read when they are sent; resolves with what sends them a last time and ends it. */
export type SendMetrics = (read: () => Promise<readonly MetricFamily[]>) => Promise<() => Promise<void>>;

/** Telemetry of the daemon. */
export interface DaemonTelemetry {
  readonly runs: RunTelemetry;
  readonly sendMetrics: SendMetrics;
  /** Sends the traces that were not sent yet. */
  readonly close: () => Promise<void>;
}

/** Opens the telemetry that the configuration and the environment ask for. Nothing of the SDK is loaded where it is none. */
export async function openTelemetry(
  {
    telemetry,
    environment,
  }: {
    readonly telemetry: { readonly enabled: boolean; readonly content: boolean };
    readonly environment: Environment;
  },
  { sleep, redact, logger, now }: OpenTelemetryOptions,
): Promise<DaemonTelemetry> {
  const traces = findTracesEndpoint(telemetry, environment);
  const metrics = findMetricsEndpoint(telemetry, environment);
  if (traces === null && metrics === null)
    return { runs: noTelemetry, sendMetrics: async () => async () => {}, close: async () => {} };
  // The SDK reads the variables of the process itself; those of the `.env` beside the configuration count, too.
  for (const [name, value] of Object.entries(environment))
    if (name.startsWith('OTEL_') && value !== undefined) process.env[name] = value;
  const { hearDiagnostics } = await import('./hear-diagnostics.ts');
  const stopHearing = hearDiagnostics({ redact, logger });
  const started = traces === null ? null : await openTraces(telemetry.content, redact);
  if (started !== null) logger.info({ endpoint: traces, content: telemetry.content }, 'sending traces');
  const endInTime = async (end: () => Promise<void>) => {
    const sent = new AbortController();
    await Promise.race([end().catch(() => {}), sleep(patienceMs, sent.signal)]);
    sent.abort();
  };
  return {
    runs: started?.runs ?? noTelemetry,
    sendMetrics: async (read) => {
      if (metrics === null) return async () => {};
      const { startMetrics } = await import('./start-metrics.ts');
      const times = readMetricTimes(environment);
      const end = startMetrics(read, { ...times, startedAt: now(), redact, now });
      logger.info({ endpoint: metrics }, 'sending metrics');
      return () => endInTime(end);
    },
    close: async () => {
      if (started !== null) await endInTime(started.close);
      stopHearing();
    },
  };
}

async function openTraces(content: boolean, redact: (text: string) => string) {
  const { startTelemetry } = await import('./start-telemetry.ts');
  return startTelemetry({ content, redact });
}
