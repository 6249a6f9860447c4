import { styleText } from 'node:util';
import { stripEscapes } from '@agent/text';

export interface FormatLineOptions {
  readonly color: boolean;
}

type Color = Parameters<typeof styleText>[0];

const levels: Readonly<Record<number, readonly [string, Color]>> = {
  20: ['debug', 'gray'],
  30: ['', 'green'],
  40: ['warning', 'yellow'],
  50: ['error', 'red'],
  60: ['fatal', 'red'],
};

/** Fields that are rendered in a place of their own, or that say nothing to a person at a terminal. */
const placed = new Set(['level', 'time', 'msg', 'task', 'step', 'phase', 'err', 'run']);

/**
 * Renders one of pino's JSON lines for a terminal: time, task, step or the phase before the first, message, then what else it carries.
 * A line that is not JSON is given back as it is.
 */
export function formatLine(line: string, options: FormatLineOptions): string {
  const record = parseRecord(line);
  if (record === null) return line;
  const paint = (color: Color, text: string): string =>
    options.color && text !== '' ? styleText(color, text, { validateStream: false }) : text;
  const [level, color] = levels[Number(record.level)] ?? ['', 'white'];
  const head = [
    paint('gray', new Date(Number(record.time)).toTimeString().slice(0, 8)),
    paint(color, level),
    paint('cyan', show(record.task)),
    paint('magenta', record.step === undefined ? show(record.phase) : `step ${show(record.step)}`),
    show(record.msg),
  ];
  const fields = Object.entries(record).filter(([key]) => !placed.has(key));
  const rest = fields.map(([key, value]) => `${paint('gray', `${key}=`)}${show(value)}`);
  const text = [...head, ...rest].filter((part) => part !== '').join('  ');
  return `${text}${showError(record.err)}\n`;
}

/** One value on one line; control sequences that came in with it must not reach the terminal. */
function show(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return stripEscapes(text).replace(/\p{Cc}+/gu, ' ');
}

function showError(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  return `\n    ${show((error as { message?: unknown }).message)}`;
}

function parseRecord(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
