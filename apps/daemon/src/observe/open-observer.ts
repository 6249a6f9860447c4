import { Observer, type ReportedWrite } from '@agent/orchestrator';
import type { RunStorage } from '@agent/run-store';
import { processLocale } from '@agent/text/locale';
import type { Redact } from '@agent/text/outgoing';
import type { Environment } from '@agent/workspace';
import type { LogFormat } from '../log/logger.ts';
import { formatWrite } from './format-write.ts';

export interface OpenObserverOptions {
  readonly notes: RunStorage['notes'];
  readonly environment: Environment;
  readonly logFormat: LogFormat;
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean };
  readonly redact: Redact;
  readonly now: () => number;
}

/** Opens the observer of a daemon: it prints each write that is not made, as a line of JSON where the log is JSON. */
export function openObserver({ notes, environment, redact, now, ...screen }: OpenObserverOptions): Observer {
  const { logFormat, output } = screen;
  const isJson = logFormat === 'json' || (logFormat === 'auto' && output.isTTY !== true);
  const format = isJson
    ? (write: ReportedWrite) => `${JSON.stringify({ time: now(), ...write })}\n`
    : (write: ReportedWrite) => formatWrite(write, processLocale(environment));
  return new Observer({ notes, now, report: (write) => void output.write(redact(format(write))) });
}
