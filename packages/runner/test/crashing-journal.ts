import { createMemoryRunJournal, type MemoryRunJournal } from '../src/index.ts';

interface Crash {
  /** Number of the line at which the process dies, from 1. */
  readonly line: number;
  /** True where the line was written. */
  readonly isWritten: boolean;
}

/** A journal whose process dies at a line: from then on nothing is written. */
export function crashing(journal: MemoryRunJournal, { line, isWritten }: Crash): MemoryRunJournal {
  let lines = 0;
  return {
    ...journal,
    append: async (event) => {
      lines += 1;
      if (lines > line || (lines === line && !isWritten)) throw new Error('killed');
      const seq = await journal.append(event);
      if (lines === line) throw new Error('killed');
      return seq;
    },
  };
}

/** Lines that a course appends to its journal. */
export async function countLines(run: (journal: MemoryRunJournal) => Promise<unknown>): Promise<number> {
  let lines = 0;
  const journal = createMemoryRunJournal();
  await run({
    ...journal,
    append: (event) => {
      lines += 1;
      return journal.append(event);
    },
  });
  return lines;
}

/** Number of calls of which nobody knows what became of them. */
export function interrupted(journal: MemoryRunJournal): number {
  const texts = journal.entries.map((entry) => JSON.stringify(entry));
  return texts.filter((text) => text.includes('interrupted; its effect is unknown')).length;
}
