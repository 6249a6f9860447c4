import { isCallersFact, type JournalEntry } from '../journal-model.ts';
import type { JournalFiles } from '../places.ts';
import { type BrokenLine, parseFact } from '../record/read-record.ts';
import { isToolFact, parseSummaryFact, parseToolFact } from '../record/run-facts.ts';
import { type RunLine, readRunRecord } from '../record/run-record.ts';
import { parseMessageLine } from './message-line.ts';
import type { ToolEntry } from './tool-line.ts';

interface ReadJournalOptions<Message> {
  readonly parseMessage: (json: unknown) => Message;
  /** Default throws. */
  readonly onBroken?: ((broken: BrokenLine) => void) | undefined;
}

/** Messages, summaries of them and the caller's facts, in the order they were written; reads one line at a time. */
export async function* readJournal<Message>(
  files: JournalFiles,
  options: ReadJournalOptions<Message>,
): AsyncGenerator<JournalEntry<Message>> {
  const isWanted = (name: string | null) => name === null || !isToolFact(name);
  for await (const lines of readRunRecord(files, { ...options, isWanted })) {
    for (const line of lines) {
      const entry = parseEntry(line, { files, ...options });
      if (entry !== null && entry.type !== 'tool') yield entry;
    }
  }
}

/** Entry of a history: messages, summaries, and the calls of tools between them. */
export type HistoryEntry<Message> = JournalEntry<Message> | ToolEntry;

/** The journal with the tools' lines in their places; changes nothing. */
export async function* readHistory<Message>(
  files: JournalFiles,
  options: ReadJournalOptions<Message>,
): AsyncGenerator<HistoryEntry<Message>> {
  for await (const lines of readRunRecord(files, options)) {
    for (const line of lines) {
      const entry = parseEntry(line, { files, ...options });
      if (entry !== null) yield entry;
    }
  }
}

/** Null for what is no entry: most of the store's own facts. */
function parseEntry<Message>(
  { line, text, name }: RunLine,
  {
    files,
    parseMessage,
  }: Pick<ReadJournalOptions<Message>, 'parseMessage'> & { readonly files: JournalFiles },
): HistoryEntry<Message> | null {
  if (name === null) {
    const { tokens: _, ...entry } = parseMessageLine(JSON.parse(text), {
      parseMessage,
      path: files.messages,
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
