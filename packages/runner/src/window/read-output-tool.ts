import { estimateTokens } from '@agent/text';
import { jsonSchema, type ModelMessage } from 'ai';
import type { RunTool } from '../model.ts';
import type { RunJournal } from '../ports.ts';
import { joinRows, type Row, toRows } from './excerpt.ts';
import { readResultText } from './shorten-message.ts';

/** Name of the tool that reads the rest of what a request shows in part. */
export const readOutputName = 'read_output';

export interface ReadOutputOptions {
  readonly journal: Pick<RunJournal, 'read'>;
}

interface ReadOutputInput {
  readonly handle: string;
  readonly from_line: number;
  readonly to_line: number;
  readonly pattern: string;
}

/** Creates the tool that reads results and messages again, from the journal, by their handle: by lines, or lines that hold a text. */
export function createReadOutputTool({ journal }: ReadOutputOptions): RunTool {
  return {
    description:
      'Reads lines of an earlier result or message that was shown in part or elided, by the handle that its note names. Long lines count as several.',
    inputSchema: jsonSchema({
      type: 'object',
      properties: {
        handle: { type: 'string', description: 'For example output-17' },
        from_line: { type: 'integer', minimum: 1, description: 'First line, counted from 1' },
        to_line: { type: 'integer', minimum: 1, description: 'Last line. Default: as many as fit' },
        pattern: {
          type: 'string',
          description: 'Only lines that contain this text (not a regular expression)',
        },
      },
      required: ['handle'],
    }),
    readOnly: true,
    execute: async (input, { room }) => {
      const call = parseInput(input);
      const text = await findText(journal, call.handle);
      const rows = toRows(text);
      const { maxTokens, count } = room ?? { maxTokens: Number.POSITIVE_INFINITY, count: estimateTokens };
      const taker = createTaker({ maxTokens, count });
      return call.pattern === '' ? showLines(rows, call, taker) : search(rows, call, taker);
    },
  };
}

function parseInput(input: unknown): ReadOutputInput {
  const { handle, from_line: from, to_line: to, pattern } = (input ?? {}) as Record<string, unknown>;
  if (typeof handle !== 'string') throw new Error('The call needs a handle, for example output-17.');
  return {
    handle,
    from_line: toLine(from, 1),
    to_line: toLine(to, Number.POSITIVE_INFINITY),
    pattern: typeof pattern === 'string' ? pattern : '',
  };
}

/** Weak models write numbers as strings. */
function toLine(value: unknown, byDefault: number): number {
  const line = Math.floor(Number(value ?? byDefault));
  return line >= 1 ? line : byDefault;
}

async function findText(journal: Pick<RunJournal, 'read'>, handle: string): Promise<string> {
  const [, seq, part = '1'] = /^(?:output|message)-(\d+)(?:\.(\d+))?$/.exec(handle.trim()) ?? [];
  if (seq !== undefined) {
    for await (const entry of journal.read({ facts: [] })) {
      if (entry.type !== 'message' || entry.seq !== Number(seq) || entry.message.role === 'system') continue;
      const text = toTexts(entry.message)[Number(part) - 1];
      if (text !== undefined) return text;
    }
  }
  throw new Error(`There is no output with the handle "${handle}". Use a handle that a note names.`);
}

/** Texts of a message: of a tool's, one for each result; of any other, one. */
function toTexts({ role, content }: ModelMessage): readonly string[] {
  if (typeof content === 'string') return [content];
  const texts = content.flatMap((part) => {
    if (part.type === 'tool-result') return [readResultText(part)];
    if (part.type === 'tool-call') return [`${part.toolName} ${JSON.stringify(part.input, null, 2)}`];
    return part.type === 'text' || part.type === 'reasoning' ? [part.text] : [];
  });
  return role === 'tool' ? texts : [texts.join('\n')];
}

type Taker = (text: string) => boolean;

/** Tells of one line after the other whether it still fits. */
function createTaker({
  maxTokens,
  count,
}: {
  readonly maxTokens: number;
  readonly count: (text: string) => number;
}): Taker {
  // For the first line, and the lines of an envelope.
  let left = maxTokens - 160;
  let taken = 0;
  return (text) => {
    left -= count(`${text}\n`);
    if (left < 0 && taken > 0) return false;
    taken += 1;
    return true;
  };
}

function showLines(
  rows: readonly Row[],
  { handle, from_line: from, to_line: to }: ReadOutputInput,
  takes: Taker,
) {
  if (from > rows.length) return `${handle} has only ${rows.length} lines.`;
  const shown: Row[] = [];
  for (const row of rows.slice(from - 1, to)) {
    if (!takes(row.text)) break;
    shown.push(row);
  }
  const last = from + shown.length - 1;
  const more = last < rows.length ? `; continue with from_line ${last + 1}` : '';
  return `${handle}, lines ${from}-${last} of ${rows.length}${more}\n${joinRows(shown)}`;
}

function search(
  rows: readonly Row[],
  { handle, from_line: from, to_line: to, pattern }: ReadOutputInput,
  takes: Taker,
) {
  const wanted = pattern.toLowerCase();
  const numbered = rows.map((row, index) => ({ row, line: index + 1 }));
  const found = numbered
    .slice(from - 1, to)
    .filter(({ row }) => row.text !== row.envelope && row.text.toLowerCase().includes(wanted));
  if (found.length === 0) return `${handle}: no line contains this text (${rows.length} lines).`;
  const shown: Row[] = [];
  for (const { row, line } of found) {
    const text = `${line}\t${row.text}`;
    if (!takes(text)) break;
    shown.push({ text, continues: false, envelope: row.envelope });
  }
  const next = found[shown.length];
  const more = next === undefined ? '' : `; continue with from_line ${next.line}`;
  return `${handle}: ${found.length} of ${rows.length} lines contain this text${more}\n${joinGroups(shown)}`;
}

/** Lines of several envelopes, each in its own. */
function joinGroups(rows: readonly Row[]): string {
  const groups: Row[][] = [];
  for (const row of rows) {
    const group = groups.at(-1);
    if (group === undefined || group[0]?.envelope !== row.envelope) groups.push([row]);
    else group.push(row);
  }
  return groups.map(joinRows).join('\n');
}
