import { isCallersFact, type JournalEntry } from '../journal-model.ts';
import type { JournalFiles } from '../places.ts';
import { type BrokenLine, parseFact } from '../record/read-record.ts';
import { isToolFact, parseSummaryFact, parseToolFact } from '../record/run-facts.ts';
import { readRunRecord } from '../record/run-record.ts';
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
  for await (const entry of readEntries(files, { ...options, isWanted }))
    if (entry.type !== 'tool') yield entry;
}

/** Entry of a history: messages, summaries, and the calls of tools between them. */
export type HistoryEntry<Message> = JournalEntry<Message> | ToolEntry;

/** The journal with the tools' lines in their places; changes nothing. */
export function readHistory<Message>(
  files: JournalFiles,
  options: ReadJournalOptions<Message>,
): AsyncGenerator<HistoryEntry<Message>> {
  return readEntries(files, { ...options, isWanted: () => true });
}

async function* readEntries<Message>(
  files: JournalFiles,
  {
    parseMessage,
    isWanted,
    onBroken,
  }: ReadJournalOptions<Message> & { readonly isWanted: (name: string | null) => boolean },
): AsyncGenerator<HistoryEntry<Message>> {
  for await (const { line, text, name } of readRunRecord(files, { isWanted, onBroken })) {
    if (name === null) {
      const { tokens: _, ...entry } = parseMessageLine(JSON.parse(text), {
        parseMessage,
        path: files.messages,
        line,
      });
      yield entry;
    } else if (name === 'summary') {
      const { isFinal, summary } = parseSummaryFact(parseFact(text));
      if (!isFinal) yield { type: 'summary', summary };
    } else if (isToolFact(name)) yield parseToolFact(parseFact(text));
    else if (isCallersFact({ name })) yield parseFact(text);
  }
}
