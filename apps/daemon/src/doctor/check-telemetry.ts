import type { Environment } from '@agent/workspace';
import { findTracesEndpoint, readTracesHeaders } from '../telemetry/telemetry-place.ts';
import { type DoctorTools, reportOn } from './finding.ts';

export interface TelemetryExamination {
  readonly telemetry: { readonly enabled: boolean; readonly content: boolean };
  readonly environment: Environment;
}

/** Milliseconds that a receiver of traces has to answer. */
const patienceMs = 10_000;

/** Says where traces go, and sends an empty list of them there. Where they are off, there is nothing to say. */
export async function checkTelemetry(
  { texts, report, fetch, signal }: Pick<DoctorTools, 'texts' | 'report' | 'fetch' | 'signal'>,
  { telemetry, environment }: TelemetryExamination,
): Promise<void> {
  const endpoint = findTracesEndpoint(telemetry, environment);
  if (endpoint === null) return;
  const area = reportOn('telemetry', report);
  const answer = await fetch(endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...readTracesHeaders(environment) },
    body: JSON.stringify({ resourceSpans: [] }),
    signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]),
  }).then(
    ({ ok, status }) => (ok ? null : `HTTP ${status}`),
    (error: unknown) => (error instanceof Error ? error.name : 'Error'),
  );
  if (answer === null) area.ok(texts.tracesSent(endpoint, telemetry.content));
  else area.warning(texts.tracesNotTaken(endpoint, answer), { fix: texts.fixTraces });
}
