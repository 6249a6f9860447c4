import { styleText } from 'node:util';
import type { RunTelemetry } from '@agent/orchestrator';
import { stripEscapes } from '@agent/text';
import { parseJson, toRecord } from '@agent/text/json';
import type { Redact } from '@agent/text/outgoing';
import { pino } from 'pino';

export type LogFormat = 'auto' | 'pretty' | 'json';

interface LoggerOptions {
  /** Asked for each line, so that the loggers of runs under way follow it. */
  readonly level: () => 'debug' | 'info' | 'warn' | 'error';
  /** `auto` is pretty on a terminal and JSON elsewhere. */
  readonly format: LogFormat;
  readonly redact: Redact;
  /** Version of the daemon, on each line as `service.version`. */
  readonly version: string;
  /** Finds the span of the work that logs a line, for its `trace_id` and `span_id`. Default none. */
  readonly activeSpan?: RunTelemetry['activeSpan'] | undefined;
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean };
}

export type DaemonLogger = pino.Logger;

/** As pino writes errors, but with the name that they give themselves: that of their class is lost where code is minified. */
function toErrorFields(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  return { ...pino.stdSerializers.err(error), type: error.name };
}

/** Names of the log data model. @see https://opentelemetry.io/docs/specs/otel/compatibility/logging_trace_context/ */
function toTraceFields(span: ReturnType<RunTelemetry['activeSpan']>): object {
  return span === null ? {} : { trace_id: span.traceId, span_id: span.spanId };
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
    {
      level: 'debug',
      base: { 'service.version': options.version },
      mixin: () => toTraceFields(options.activeSpan?.() ?? null),
      errorKey: 'err',
      serializers: { err: toErrorFields },
      hooks: {
        logMethod(line, write, level) {
          if (level >= (pino.levels.values[options.level()] ?? 0)) write.apply(this, line);
        },
      },
    },
    { write },
  );
}

interface FormatLineOptions {
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
const placed = new Set([
  ...['level', 'time', 'msg', 'task', 'step', 'phase', 'err', 'run'],
  ...['service.version', 'trace_id', 'span_id'],
]);

/**
 * Renders one of pino's JSON lines for a terminal: time, task, step or the phase before the first, message, then what else it carries.
 * A line that is not JSON is given back as it is.
 */
function formatLine(line: string, options: FormatLineOptions): string {
  const record = toRecord(parseJson(line));
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
