import type { Environment } from '@agent/workspace';

/** Variables that say where OTLP goes. @see https://opentelemetry.io/docs/specs/otel/protocol/exporter/ */
const endpointVariable = 'OTEL_EXPORTER_OTLP_ENDPOINT';
const tracesVariable = 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT';

/** Finds where traces go; null where they are switched off, as without these variables. */
export function findTracesEndpoint(
  { enabled }: { readonly enabled: boolean },
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
  const pairs = both.split(',').flatMap((header) => {
    const at = header.indexOf('=');
    return at < 1 ? [] : [[header.slice(0, at).trim(), decodeURIComponent(header.slice(at + 1).trim())]];
  });
  return Object.fromEntries(pairs);
}
