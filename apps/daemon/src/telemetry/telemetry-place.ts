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
