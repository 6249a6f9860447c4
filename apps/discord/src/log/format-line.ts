import { toPlainLine } from '../text/to-plain-line.ts';

const levels: Readonly<Record<string, string>> = { 20: 'DEBUG ', 30: '', 40: 'WARN ', 50: 'ERROR ' };

/** A line of JSON for people; what came in with a value cannot command the terminal. */
export function formatLine(line: string): string {
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
