import { type FactEntry, isCallersFact, type JournalEntry, type MessageEntry } from '../journal-model.ts';
import type { JournalFiles } from '../places.ts';
import {
  type BrokenLine,
  findFactName,
  parseFact,
  type RecordLine,
  readRecord,
} from '../record/read-record.ts';
import { parseMessageLine } from './message-line.ts';
import { readSummaries } from './summary-line.ts';
import { readTools, type ToolEntry } from './tool-line.ts';

interface ReadJournalOptions<Message> {
  readonly parseMessage: (json: unknown) => Message;
}

/** Messages, summaries of them and the caller's facts, in the order they were written; reads one line at a time. */
export async function* readJournal<Message>(
  files: JournalFiles,
  options: ReadJournalOptions<Message>,
): AsyncGenerator<JournalEntry<Message>> {
  const summaries = (await readSummaries(files.summaries)).filter(({ isFinal }) => !isFinal);
  let next = 0;
  for await (const { entry } of readEntries(files.messages, options)) {
    if (entry.type === 'fact') {
      if (isCallersFact(entry)) yield entry;
      continue;
    }
    for (let summary = summaries[next]; summary && summary.afterSeq < entry.seq; summary = summaries[next]) {
      yield { type: 'summary', summary: summary.summary };
      next += 1;
    }
    yield entry;
  }
  for (const { summary } of summaries.slice(next)) yield { type: 'summary', summary };
}

/** A line of the record, and what it says. */
interface ReadEntry<Message> extends Pick<RecordLine, 'line' | 'check'> {
  readonly entry: FactEntry | (MessageEntry<Message> & { readonly tokens: number });
}

interface ReadEntriesOptions<Message> extends ReadJournalOptions<Message> {
  /** Default throws. */
  readonly onBroken?: ((broken: BrokenLine) => void) | undefined;
}

/** The lines of `messages.jsonl`: facts, and messages with their estimated tokens. */
export async function* readEntries<Message>(
  path: string,
  { parseMessage, onBroken }: ReadEntriesOptions<Message>,
): AsyncGenerator<ReadEntry<Message>> {
  for await (const { line, check, text } of readRecord(path, onBroken)) {
    const isFact = findFactName(text) !== null;
    const entry = isFact ? parseFact(text) : parseMessageLine(JSON.parse(text), { parseMessage, path, line });
    yield { line, check, entry };
  }
}

/** Entry of a history: messages, summaries, and the calls of tools between them. */
export type HistoryEntry<Message> = JournalEntry<Message> | ToolEntry;

/** The journal with the tools' lines in their places; changes nothing. */
export async function* readHistory<Message extends { readonly role: string }>(
  files: JournalFiles,
  options: ReadJournalOptions<Message>,
): AsyncGenerator<HistoryEntry<Message>> {
  const tools = readTools(files.tools);
  let tool = await tools.next();
  for await (const entry of readJournal(files, options)) {
    for (; entry.type === 'message' && !tool.done && comesBefore(tool.value, entry); ) {
      yield tool.value;
      tool = await tools.next();
    }
    yield entry;
  }
  for (; !tool.done; tool = await tools.next()) yield tool.value;
}

/** Within one millisecond a tool's line belongs after the message that calls it, before the one that answers. */
function comesBefore(
  tool: ToolEntry,
  entry: { readonly timestamp: string; readonly message: { readonly role: string } },
): boolean {
  if (tool.timestamp !== entry.timestamp) return tool.timestamp < entry.timestamp;
  return entry.message.role === 'tool';
}
