import type { JournalEntry } from './model.ts';
import type { RunJournal } from './ports.ts';

/** A journal as a list. */
export async function readEntries(journal: Pick<RunJournal, 'read'>): Promise<JournalEntry[]> {
  const entries: JournalEntry[] = [];
  for await (const entry of journal.read()) entries.push(entry);
  return entries;
}
