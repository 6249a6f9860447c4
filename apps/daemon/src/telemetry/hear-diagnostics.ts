import { DiagLogLevel, diag } from '@opentelemetry/api';
import type { DaemonLogger } from '../log/logger.ts';

export interface HearDiagnosticsOptions {
  readonly redact: (text: string) => string;
  readonly logger: DaemonLogger;
}

/** Logs what OpenTelemetry says of its own troubles; gives back what ends that. */
export function hearDiagnostics({ redact, logger }: HearDiagnosticsOptions): () => void {
  const tell = (detail: string) => logger.warn({ detail: redact(detail) }, 'failed to send telemetry');
  const quiet = () => {};
  diag.setLogger(
    { error: tell, warn: tell, info: quiet, debug: quiet, verbose: quiet },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  return () => diag.disable();
}
