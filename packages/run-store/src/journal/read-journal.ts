import { isCallersFact, type JournalEntry } from '../journal-model.ts';
import { parseMessageLine } from '../lines/message-line.ts';
import type { ToolEntry } from '../lines/tool-line.ts';
import type { ReadJournalOptions } from '../ports.ts';
import { type BrokenLine, parseFact } from '../record/read-record.ts';
import type { RecordEnd } from '../record/record-writer.ts';
import { isToolFact, parseSummaryFact, parseToolFact } from '../record/run-facts.ts';
import type { RecordSource, RunLine } from '../record/run-record.ts';

interface ParsingOptions<Message> {
  readonly parseMessage: (json: unknown) => Message;
  /** Default throws. */
  readonly onBroken?: ((broken: BrokenLine) => void) | undefined;
}

/** Entries of a record that were read already, and where the reading goes on. */
export interface KeptEntries<Message> {
  readonly list: () => readonly JournalEntry<Message>[];
  readonly end: RecordEnd;
}

/** Messages, summaries of them and the caller's facts, in the order they were written; reads one line at a time. */
export async function* readJournal<Message>(
  record: RecordSource,
  options: ParsingOptions<Message> & ReadJournalOptions & { readonly kept?: KeptEntries<Message> | null },
): AsyncGenerator<JournalEntry<Message>> {
  const { kept = null, facts } = options;
  if (kept !== null) yield* kept.list();
  const isLeftOut = (name: string | null) =>
    name !== null && facts !== undefined && isCallersFact({ name }) && !facts.includes(name);
  const isWanted = (name: string | null) => isJournalLine(name) && !isLeftOut(name);
  const place = { isWanted, from: kept?.end };
  const { location } = record;
  for await (const lines of record.readLines({ onBroken: options.onBroken, ...place })) {
    for (const line of lines) {
      const entry = parseJournalEntry(line, { location, ...options });
      if (entry !== null) yield entry;
    }
  }
}

/** Tells which lines of a record can be entries of a journal, by the names of their facts. */
export function isJournalLine(name: string | null): boolean {
  return name === null || name === 'summary' || isCallersFact({ name });
}

/** Reads such a line; null for a final summary. */
export function parseJournalEntry<Message>(
  line: RunLine,
  options: ParseOptions<Message>,
): JournalEntry<Message> | null {
  const entry = parseEntry(line, options);
  return entry?.type === 'tool' ? null : entry;
}

/** Entry of a history: messages, summaries, and the calls of tools between them. */
export type HistoryEntry<Message> = JournalEntry<Message> | ToolEntry;

/** The journal with the tools' lines in their places; changes nothing. */
export async function* readHistory<Message>(
  record: RecordSource,
  options: ParsingOptions<Message>,
): AsyncGenerator<HistoryEntry<Message>> {
  const { location, readLines } = record;
  for await (const lines of readLines({ onBroken: options.onBroken })) {
    for (const line of lines) {
      const entry = parseEntry(line, { location, ...options });
      if (entry !== null) yield entry;
    }
  }
}

interface ParseOptions<Message> extends Pick<ParsingOptions<Message>, 'parseMessage'> {
  readonly location: string;
}

/** Null for what is no entry: most of the store's own facts. */
function parseEntry<Message>(
  { line, text, name }: RunLine,
  { location, parseMessage }: ParseOptions<Message>,
): HistoryEntry<Message> | null {
  if (name === null) {
    const { tokens: _, ...entry } = parseMessageLine(JSON.parse(text), {
      parseMessage,
      path: location,
      line,
    });
    return entry;
  }
  if (name === 'summary') {
    const { isFinal, summary } = parseSummaryFact(parseFact(text));
    return isFinal ? null : { type: 'summary', summary };
  }
  if (isToolFact(name)) return parseToolFact(parseFact(text));
  return isCallersFact({ name }) ? parseFact(text) : null;
}
