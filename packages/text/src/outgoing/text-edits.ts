import type { Span } from '../clean/edits.ts';
import { fenceOf } from '../code-fence.ts';
import { isEscaped } from './inline-code.ts';

/** Stands in for code and addresses, which no rule reads: a character that no text of people holds. */
const masked = '\ue000';
/** The same for marks of blocks, such as those of lists and quotes, and for blocks of code. */
const maskedBlock = '\ue001';

/** Shown as nothing; what stands on both its sides is no longer one word. */
export const breaker = '\u200b';

/** Text that replaces a stretch; an empty stretch takes nothing away. */
export interface TextEdit extends Span {
  readonly text: string;
}

/** Makes the edits; if two overlap, the first. Code that is put in stays code beside other signs. */
export function applyTextEdits(text: string, edits: readonly TextEdit[]): string {
  const inOrder = edits.toSorted((one, other) => one.start - other.start || one.end - other.end);
  const parts: string[] = [];
  let reached = 0;
  for (const { start, end, text: replacement } of inOrder) {
    if (start < reached) continue;
    if (start > reached) parts.push(text.slice(reached, start));
    parts.push(separate(parts.at(-1) ?? '', replacement), replacement);
    if (replacement.endsWith('`') && text[end] === '`') parts.push(breaker);
    reached = end;
  }
  return parts.join('') + text.slice(reached);
}

/** Text that keeps code from being escaped, or joined with a backtick before it. */
function separate(before: string, replacement: string): string {
  if (!replacement.startsWith('`')) return '';
  if (before.endsWith('`')) return breaker;
  return isEscaped(before, { start: 0, end: before.length }) ? '\\' : '';
}

/** The text with stretches masked, of the same length; lines stay lines. */
export function maskSpans(text: string, spans: readonly Span[], sign = masked): string {
  let result = '';
  let reached = 0;
  for (const { start, end } of spans.toSorted((one, other) => one.start - other.start)) {
    if (end <= reached) continue;
    const from = Math.max(start, reached);
    result += text.slice(reached, from) + text.slice(from, end).replace(/[^\n]/g, sign);
    reached = end;
  }
  return result + text.slice(reached);
}

/** The text with all but some stretches masked; these are in order. */
export function maskOthers(text: string, spans: readonly Span[]): string {
  let reached = 0;
  const others = [...spans, { start: text.length, end: text.length }].map(({ start, end }) => {
    const other = { start: reached, end: start };
    reached = end;
    return other;
  });
  return maskSpans(text, others, maskedBlock);
}

/** Writes a text as code on one line, with a fence that nothing in it closes. */
export function toCode(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const fence = fenceOf(line, 1);
  const pad = /^`|`$/.test(line) ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}
