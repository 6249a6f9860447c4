import { describeWrite, Observer, type ReportedWrite } from '@agent/orchestrator';
import type { RunStorage } from '@agent/run-store';
import { type Locale, processLocale } from '@agent/text/locale';
import type { Redact } from '@agent/text/outgoing';
import type { Environment } from '@agent/workspace';
import { cleanLine, cleanText } from '../text/terminal-text.ts';
import type { LogFormat } from './logger.ts';

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

/** What and where on the first line, the content whole below that. */
function formatWrite(write: ReportedWrite, locale: Locale): string {
  const { head, content } = describeWrite(write, locale);
  const lines = content === '' ? [] : cleanText(content).split('\n');
  return [`[observe] ${cleanLine(head)}`, ...lines.map((line) => `    | ${line}`), ''].join('\n');
}
