import type { Redact } from '@agent/text/outgoing';
import { pino } from 'pino';
import { formatLine } from './format-line.ts';

export type LogFormat = 'auto' | 'pretty' | 'json';

export interface LoggerOptions {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  /** `auto` is pretty on a terminal and JSON elsewhere. */
  readonly format: LogFormat;
  readonly redact: Redact;
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean };
}

export type DaemonLogger = pino.Logger;

/** As pino writes errors, but with the name that they give themselves: that of their class is lost where code is minified. */
function toErrorFields(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  return { ...pino.stdSerializers.err(error), type: error.name };
}

/** A pino logger whose every line passes the redactor as a whole, so that no field can bring a secret past it. */
export function createLogger(options: LoggerOptions): DaemonLogger {
  const terminal = options.output.isTTY === true;
  const pretty = options.format === 'pretty' || (options.format === 'auto' && terminal);
  const write = (line: string): void => {
    const clean = options.redact(line);
    options.output.write(pretty ? formatLine(clean, { color: terminal }) : clean);
  };
  return pino(
    { level: options.level, base: null, errorKey: 'err', serializers: { err: toErrorFields } },
    { write },
  );
}
