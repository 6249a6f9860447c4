import { pino } from 'pino';
import { formatLine } from './format-line.ts';
import type { Redact } from './redact.ts';

export type LogFormat = 'auto' | 'pretty' | 'json';

export interface LoggerOptions {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  /** `auto` is pretty on a terminal and JSON elsewhere. */
  readonly format: LogFormat;
  readonly redact: Redact;
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean };
}

export type DaemonLogger = pino.Logger;

/** A pino logger whose every line passes the redactor as a whole, so that no field can bring a secret past it. */
export function createLogger(options: LoggerOptions): DaemonLogger {
  const terminal = options.output.isTTY === true;
  const pretty = options.format === 'pretty' || (options.format === 'auto' && terminal);
  const write = (line: string): void => {
    const clean = options.redact(line);
    options.output.write(pretty ? formatLine(clean, { colour: terminal }) : clean);
  };
  return pino({ level: options.level, base: null, errorKey: 'err' }, { write });
}
