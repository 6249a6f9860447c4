import { readLines } from '../disk/read-lines.ts';
import type { JournalEntry, MessageEntry } from '../journal-model.ts';
import type { JournalFiles } from './journal-files.ts';
import { parseMessageLine } from './message-line.ts';
import { parseSummaryLine, type StoredSummary } from './summary-line.ts';

export interface ReadJournalOptions<Message> {
  readonly parseMessage: (json: unknown) => Message;
}

/** Messages and summaries of them, in the order they were written; reads one line at a time. */
export async function* readJournal<Message>(
  files: JournalFiles,
  options: ReadJournalOptions<Message>,
): AsyncGenerator<JournalEntry<Message>> {
  const summaries = (await readSummaries(files.summaries)).filter(({ isFinal }) => !isFinal);
  let next = 0;
  for await (const entry of readMessages(files.messages, options)) {
    for (let summary = summaries[next]; summary && summary.afterSeq < entry.seq; summary = summaries[next]) {
      yield { type: 'summary', summary: summary.summary };
      next += 1;
    }
    yield entry;
  }
  for (const { summary } of summaries.slice(next)) yield { type: 'summary', summary };
}

/** The lines of `messages.jsonl`, each with its estimated tokens. */
export async function* readMessages<Message>(
  path: string,
  options: ReadJournalOptions<Message>,
): AsyncGenerator<MessageEntry<Message> & { readonly tokens: number }> {
  for await (const { value, line } of readLines(path))
    yield parseMessageLine(value, { ...options, path, line });
}

/** The lines of `summaries.jsonl`, oldest first. */
export async function readSummaries(path: string): Promise<StoredSummary[]> {
  const summaries: StoredSummary[] = [];
  for await (const { value, line } of readLines(path))
    summaries.push(parseSummaryLine(value, { path, line }));
  return summaries;
}
