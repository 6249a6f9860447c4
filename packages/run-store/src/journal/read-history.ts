import { access } from 'node:fs/promises';
import { readLines } from '../disk/read-lines.ts';
import { toSystemCode } from '../disk/storage-error.ts';
import type { JournalEntry } from '../journal-model.ts';
import type { JournalFiles } from './journal-files.ts';
import { type ReadJournalOptions, readJournal } from './read-journal.ts';
import { parseToolLine, type ToolEntry } from './tool-line.ts';

/** What happened in a run: its messages and summaries, and what its tools did between them. */
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

async function* readTools(path: string): AsyncGenerator<ToolEntry> {
  const isThere = await access(path).then(
    () => true,
    (error: unknown) => {
      if (toSystemCode(error) === 'ENOENT') return false;
      throw error;
    },
  );
  if (!isThere) return;
  for await (const { value, line } of readLines(path)) yield parseToolLine(value, { path, line });
}
