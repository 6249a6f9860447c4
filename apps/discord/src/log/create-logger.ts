import type { Logger } from '@agent/text';
import { pino } from 'pino';
import { formatLine } from './format-line.ts';

export interface LoggerOptions {
  readonly level: 'debug' | 'info';
  /** `auto`: pretty on a terminal, JSON elsewhere. */
  readonly format: 'auto' | 'pretty' | 'json';
  /** Taken out of every line, wherever they stand. */
  readonly secrets: readonly string[];
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean };
}

/** A pino logger that keeps the secrets it is told of. */
export function createLogger({ level, format, secrets, output }: LoggerOptions): Logger {
  const isPretty = format === 'pretty' || (format === 'auto' && output.isTTY === true);
  const spellings = secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
  const write = (line: string): void => {
    const clean = spellings.reduce((text, secret) => text.replaceAll(secret, '[REDACTED]'), line);
    output.write(isPretty ? formatLine(clean) : clean);
  };
  return pino({ level, base: null }, { write });
}
