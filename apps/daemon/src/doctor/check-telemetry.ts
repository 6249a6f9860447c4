import type { Environment } from '@agent/workspace';
import {
  findMetricsEndpoint,
  findTracesEndpoint,
  readMetricsHeaders,
  readTracesHeaders,
} from '../telemetry/telemetry-place.ts';
import { type DoctorTools, reportOn } from './finding.ts';

export interface TelemetryExamination {
  readonly telemetry: { readonly enabled: boolean; readonly content: boolean };
  readonly environment: Environment;
}

type Tools = Pick<DoctorTools, 'texts' | 'report' | 'fetch' | 'signal'>;

/** Milliseconds that a receiver has to answer. */
const patienceMs = 10_000;

/** Says where traces and metrics go, and sends an empty list of them there. Where they are off, there is nothing to say. */
export async function checkTelemetry(
  tools: Tools,
  { telemetry, environment }: TelemetryExamination,
): Promise<void> {
  const { texts, report } = tools;
  const area = reportOn('telemetry', report);
  const traces = findTracesEndpoint(telemetry, environment);
  if (traces !== null) {
    const request = { headers: readTracesHeaders(environment), body: { resourceSpans: [] } };
    const refusal = await send(traces, request, tools);
    if (refusal === null) area.ok(texts.tracesSent(traces, telemetry.content));
    else area.warning(texts.tracesNotTaken(traces, refusal), { fix: texts.fixTraces });
  }
  const metrics = findMetricsEndpoint(telemetry, environment);
  if (metrics === null) return;
  const request = { headers: readMetricsHeaders(environment), body: { resourceMetrics: [] } };
  const refusal = await send(metrics, request, tools);
  if (refusal === null) area.ok(texts.metricsSent(metrics));
  else area.warning(texts.metricsNotTaken(metrics, refusal), { fix: texts.fixMetrics });
}

/** Null where it was taken; else what was answered. */
async function send(
  endpoint: string,
  { headers, body }: { readonly headers: Readonly<Record<string, string>>; readonly body: object },
  { fetch, signal }: Pick<Tools, 'fetch' | 'signal'>,
): Promise<string | null> {
  return fetch(endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]),
  }).then(
    ({ ok, status }) => (ok ? null : `HTTP ${status}`),
    (error: unknown) => (error instanceof Error ? error.name : 'Error'),
  );
}
