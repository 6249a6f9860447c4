import type { Environment } from '@agent/workspace';
import type { Config } from '../config/schema.ts';

/** Variables that say where OTLP goes. @see https://opentelemetry.io/docs/specs/otel/protocol/exporter/ */
const endpointVariable = 'OTEL_EXPORTER_OTLP_ENDPOINT';
const tracesVariable = 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT';

/** Finds where traces go; null where they are switched off, as without these variables. */
export function findTracesEndpoint(
  { enabled }: Config['telemetry'],
  environment: Environment,
): string | null {
  if (!enabled || environment.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return null;
  if (environment[tracesVariable]) return environment[tracesVariable];
  const endpoint = environment[endpointVariable];
  return endpoint ? `${endpoint.replace(/\/$/, '')}/v1/traces` : null;
}

/** Headers that traces are sent with. */
export function readTracesHeaders(environment: Environment): Readonly<Record<string, string>> {
  const both = `${environment.OTEL_EXPORTER_OTLP_HEADERS ?? ''},${environment.OTEL_EXPORTER_OTLP_TRACES_HEADERS ?? ''}`;
  return Object.fromEntries(
    both
      .split(',')
      .map((header) => /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(header))
      .flatMap((found) => (found === null ? [] : [[found[1], decodeURIComponent(found[2] ?? '')]])),
  );
}
