import type { Environment } from '@agent/workspace';
import {
  findMetricsEndpoint,
  findTracesEndpoint,
  readMetricsHeaders,
  readTracesHeaders,
} from '../telemetry/telemetry-place.ts';
import { type DoctorTools, reportOn } from './finding.ts';
import { adviseOnNetwork } from './network-advice.ts';

export interface TelemetryExamination {
  readonly telemetry: { readonly enabled: boolean; readonly content: boolean };
  readonly environment: Environment;
}

type Tools = Pick<DoctorTools, 'texts' | 'report' | 'fetch' | 'signal' | 'processEnvironment'>;

/** Milliseconds that a receiver has for its answer. */
const patienceMs = 10_000;

/** Reports where traces and metrics go, and sends an empty list of them there. Reports nothing if they are off. */
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
    else {
      const fix = adviseOnReceiver(refusal, { url: traces, signal: 'TRACES', environment }, tools);
      area.warning(texts.tracesNotTaken(traces, refusal.answer), { fix });
    }
  }
  const metrics = findMetricsEndpoint(telemetry, environment);
  if (metrics === null) return;
  const request = { headers: readMetricsHeaders(environment), body: { resourceMetrics: [] } };
  const refusal = await send(metrics, request, tools);
  if (refusal === null) area.ok(texts.metricsSent(metrics));
  else {
    const fix = adviseOnReceiver(refusal, { url: metrics, signal: 'METRICS', environment }, tools);
    area.warning(texts.metricsNotTaken(metrics, refusal.answer), { fix });
  }
}

interface Refusal {
  readonly answer: string;
  /** Null if there was no answer. */
  readonly status: number | null;
  /** Null if there was an answer. */
  readonly error: unknown;
}

/** Returns null if the receiver accepted it. */
async function send(
  endpoint: string,
  { headers, body }: { readonly headers: Readonly<Record<string, string>>; readonly body: object },
  { fetch, signal }: Pick<Tools, 'fetch' | 'signal'>,
): Promise<Refusal | null> {
  return fetch(endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]),
  }).then(
    ({ ok, status }) => (ok ? null : { answer: `HTTP ${status}`, status, error: null }),
    (error: unknown) => ({ answer: toFailureWord(error), status: null, error }),
  );
}

/** Port of OTLP over gRPC. */
const grpcPort = '4317';

function adviseOnReceiver(
  { status, error }: Refusal,
  {
    url,
    signal,
    environment,
  }: { readonly url: string; readonly signal: string; readonly environment: Environment },
  { texts, processEnvironment }: Tools,
): string {
  const own = `OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`;
  const variable = environment[own] ? own : 'OTEL_EXPORTER_OTLP_ENDPOINT';
  if (URL.canParse(url) && new URL(url).port === grpcPort) return texts.fixOtlp.grpc(variable);
  if (status === null)
    return adviseOnNetwork({ error, url, key: variable }, { texts, environment, processEnvironment });
  if (status === 401 || status === 403) return texts.fixOtlp.login;
  return status === 404 || status === 405 ? texts.fixOtlp.address(variable) : texts.fixOtlp.other;
}

/** Most errors that one error can have below it. */
const maxDepth = 8;

/** Tells what an error says of a connection in a few characters: its code, or the message of what caused it. */
function toFailureWord(error: unknown): string {
  let last = error;
  for (let depth = 0; last instanceof Error && last.cause instanceof Error && depth < maxDepth; depth += 1)
    last = last.cause;
  const { code, name, message } = (last ?? {}) as Readonly<Record<'code' | 'name' | 'message', unknown>>;
  if (typeof code === 'string') return code;
  return name === 'TimeoutError' ? 'timeout' : String(message ?? last);
}
