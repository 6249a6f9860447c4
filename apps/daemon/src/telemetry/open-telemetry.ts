import { noTelemetry } from '@agent/orchestrator';
import type { Environment } from '@agent/workspace';
import type { StartedTelemetry, StartTelemetryOptions } from './start-telemetry.ts';
import { findTracesEndpoint } from './telemetry-place.ts';

/** Milliseconds that the end of the daemon waits for a receiver of traces. */
const patienceMs = 5_000;

export interface OpenTelemetryOptions extends Pick<StartTelemetryOptions, 'redact' | 'logger'> {
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** Opens the traces that the configuration and the environment ask for. */
export async function openTelemetry(
  {
    telemetry,
    environment,
  }: {
    readonly telemetry: { readonly enabled: boolean; readonly content: boolean };
    readonly environment: Environment;
  },
  { sleep, ...options }: OpenTelemetryOptions,
): Promise<StartedTelemetry> {
  const endpoint = findTracesEndpoint(telemetry, environment);
  if (endpoint === null) return { runs: noTelemetry, close: async () => {} };
  // The SDK reads the variables of the process itself; those of the `.env` beside the configuration count, too.
  for (const [name, value] of Object.entries(environment))
    if (name.startsWith('OTEL_') && value !== undefined) process.env[name] = value;
  const { startTelemetry } = await import('./start-telemetry.ts');
  const started = startTelemetry({ ...options, content: telemetry.content });
  options.logger.info({ endpoint, content: telemetry.content }, 'sending traces');
  return {
    runs: started.runs,
    close: async () => {
      const sent = new AbortController();
      await Promise.race([started.close().catch(() => {}), sleep(patienceMs, sent.signal)]);
      sent.abort();
    },
  };
}
