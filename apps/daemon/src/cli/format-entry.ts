import type { ShownMessage } from '@agent/orchestrator';
import type { HistoryEntry, ToolEntry } from '@agent/run-store';
import { cleanLine, cleanText } from '../text/terminal-text.ts';
import type { PreparedCall } from './list-prepared-calls.ts';
import type { CliTexts } from './texts.en.ts';

const maxLines = 40;
const maxChars = 4_000;
const maxArgsChars = 200;

/** One entry of a journal as people read it: who spoke, when, what; long texts are cut and say how much is missing. */
export function formatEntry(entry: HistoryEntry<ShownMessage>, texts: CliTexts): string {
  if (entry.type === 'summary') {
    const { startSeq, endSeq, text } = entry.summary;
    return section(`── ${texts.summaryOf(startSeq, endSeq)}`, text);
  }
  if (entry.type === 'tool') return formatTool(entry, texts);
  const { seq, timestamp, message, usage, spent, delivers } = entry;
  const cost = usage ?? spent ?? null;
  const head = [
    `── ${seq}`,
    formatTime(timestamp),
    message.role,
    ...(cost === null ? [] : [texts.tokens(cost.inputTokens, cost.outputTokens)]),
    ...(delivers.length === 0 ? [] : [texts.delivered(delivers.length)]),
  ];
  return section(head.join('  '), textOf(message));
}

const marks = { started: '▶', success: '✓', error: '✗' } as const;

function formatTool(entry: HistoryEntry<ShownMessage> & { type: 'tool' }, texts: CliTexts): string {
  const took = entry.durationMs === null ? texts.toolStarted : `${Math.round(entry.durationMs)} ms`;
  const head = formatCall(entry, took);
  return entry.status === 'error' ? section(head, entry.output ?? '') : head;
}

/** Formats a call of a tool before the first entry. */
export function formatPreparedCall(call: PreparedCall, texts: CliTexts): string {
  const head = formatCall(call, texts.prepared(call.calls));
  return call.error === null ? head : section(head, call.error);
}

function formatCall(
  { status, timestamp, tool, args }: Pick<ToolEntry, 'status' | 'timestamp' | 'tool' | 'args'>,
  note: string,
): string {
  const written = cleanLine(JSON.stringify(args) ?? '');
  const shown = written.length > maxArgsChars ? `${written.slice(0, maxArgsChars)}…` : written;
  return `   ${marks[status]} ${formatTime(timestamp)}  ${cleanLine(tool)}  ${note}  ${shown}`;
}

function section(head: string, body: string): string {
  const lines = cleanText(shorten(body)).split('\n');
  const shown = lines.slice(0, maxLines).map((line) => `   ${line}`.trimEnd());
  if (lines.length > maxLines) shown.push(`   … (+${lines.length - maxLines})`);
  return body.trim() === '' ? head : [head, ...shown].join('\n');
}

function shorten(text: string): string {
  if (text.length <= maxChars) return text;
  return `${text.slice(0, maxChars).replace(/[\uD800-\uDBFF]$/, '')}… (+${text.length - maxChars})`;
}

/** The text of a message; its calls are shown by what the tools did, their results by the beginning of each. */
function textOf({ content }: ShownMessage): string {
  if (typeof content === 'string') return content;
  return content.map(textOfPart).filter(Boolean).join('\n');
}

function textOfPart(part: { readonly type: string; readonly [key: string]: unknown }): string {
  if (part.type === 'tool-call') return `→ ${String(part.toolName)}`;
  if (part.type === 'tool-result') return `← ${String(part.toolName)}: ${outputOf(part.output)}`;
  return typeof part.text === 'string' ? part.text : `(${part.type})`;
}

function outputOf(output: unknown): string {
  const value = (output as { value?: unknown } | undefined)?.value ?? output;
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function formatTime(timestamp: string): string {
  return timestamp.slice(0, 19).replace('T', ' ');
}
