import type { Environment } from '@agent/workspace';

/** Kind of what is sent by OTLP. */
type Signal = 'traces' | 'metrics';

/** Endpoint where a variable asks for OTLP without naming one. @see https://opentelemetry.io/docs/specs/otel/protocol/exporter/ */
const defaultEndpoint = 'http://localhost:4318';

/** Finds where traces go; null where they are switched off, as without the standard variables. */
export function findTracesEndpoint(
  telemetry: { readonly enabled: boolean },
  environment: Environment,
): string | null {
  return findEndpoint('traces', telemetry, environment);
}

/** Finds where metrics go; null where they are switched off, as without the standard variables. */
export function findMetricsEndpoint(
  telemetry: { readonly enabled: boolean },
  environment: Environment,
): string | null {
  return findEndpoint('metrics', telemetry, environment);
}

/** Headers that traces are sent with. */
export function readTracesHeaders(environment: Environment): Readonly<Record<string, string>> {
  return readHeaders('traces', environment);
}

/** Headers that metrics are sent with. */
export function readMetricsHeaders(environment: Environment): Readonly<Record<string, string>> {
  return readHeaders('metrics', environment);
}

/** Times between metrics and for sending them, in milliseconds. @see https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/ */
export function readMetricTimes(environment: Environment): {
  readonly exportIntervalMillis: number;
  readonly exportTimeoutMillis: number;
} {
  const read = (variable: string, otherwise: number) => {
    const value = Number(environment[variable]);
    // Timers take no more than this.
    return Number.isInteger(value) && value > 0 && value < 2 ** 31 ? value : otherwise;
  };
  const exportIntervalMillis = read('OTEL_METRIC_EXPORT_INTERVAL', 60_000);
  const timeout = read('OTEL_METRIC_EXPORT_TIMEOUT', 30_000);
  return { exportIntervalMillis, exportTimeoutMillis: Math.min(timeout, exportIntervalMillis) };
}

function findEndpoint(
  signal: Signal,
  { enabled }: { readonly enabled: boolean },
  environment: Environment,
): string | null {
  if (!enabled || environment.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return null;
  const exporters = environment[`OTEL_${signal.toUpperCase()}_EXPORTER`];
  const isAsked = exporters ? exporters.split(',').some((one) => one.trim().toLowerCase() === 'otlp') : null;
  if (isAsked === false) return null;
  const own = environment[`OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_ENDPOINT`];
  if (own) return own;
  const endpoint = environment.OTEL_EXPORTER_OTLP_ENDPOINT || (isAsked ? defaultEndpoint : null);
  return endpoint ? `${endpoint.replace(/\/$/, '')}/v1/${signal}` : null;
}

function readHeaders(signal: Signal, environment: Environment): Readonly<Record<string, string>> {
  const own = environment[`OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_HEADERS`];
  const pairs = `${environment.OTEL_EXPORTER_OTLP_HEADERS ?? ''},${own ?? ''}`
    .split(',')
    .flatMap((header) => {
      const at = header.indexOf('=');
      return at < 1 ? [] : [[header.slice(0, at).trim(), decodeURIComponent(header.slice(at + 1).trim())]];
    });
  return Object.fromEntries(pairs);
}
