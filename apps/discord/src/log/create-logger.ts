import type { Logger } from '@agent/text';
import { pino } from 'pino';
import { toPlainLine } from '../text/to-plain-line.ts';

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

const levels: Readonly<Record<string, string>> = { 20: 'DEBUG ', 30: '', 40: 'WARN ', 50: 'ERROR ' };

/** A line of JSON for people; what came in with a value cannot command the terminal. */
function formatLine(line: string): string {
  const { level, time, msg, ...fields } = JSON.parse(line) as Record<string, unknown>;
  const clock = new Date(Number(time)).toTimeString().slice(0, 8);
  const shown = Object.entries(fields)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([key, value]) => `  ${key}=${show(value)}`);
  return `${clock}  ${levels[String(level)] ?? ''}${show(msg)}${shown.join('')}\n`;
}

function show(value: unknown): string {
  return toPlainLine(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
}
