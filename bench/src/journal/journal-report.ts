import type { Goal, Report, Table } from '../report.ts';
import type { JournalCosts } from './measure-journal.ts';

/** A run of so many messages, kept both ways. */
export interface JournalFigures {
  readonly messages: number;
  readonly sync: boolean;
  readonly ours: JournalCosts;
  readonly earlier: JournalCosts;
}

/** How many times as much processor time the earlier way takes. */
function toRatio({ ours, earlier }: JournalFigures): number {
  return earlier.processorMs / ours.processorMs;
}

/** How much more processor time one message takes in the longer run: 1 where the whole is linear. */
export function toGrowth(short: JournalFigures, long: JournalFigures): number {
  return long.ours.processorMs / long.messages / (short.ours.processorMs / short.messages);
}

/** The figures in tables. */
export function toJournalReport(
  figures: readonly JournalFigures[],
  { rounds }: { readonly rounds: number },
): Report {
  const unsynced = figures.filter(({ sync }) => !sync);
  const bytes = (read: (one: JournalFigures) => JournalCosts) =>
    Math.round(Math.max(...figures.map((one) => read(one).bytes / one.messages)));
  return {
    title: 'journal: what it costs to keep the messages of a run',
    tables: [
      toTable('Without waiting for the disk, milliseconds', unsynced),
      toTable(
        'Each message on the disk before the next, milliseconds',
        figures.filter(({ sync }) => sync),
      ),
    ],
    goals: toGoals(unsynced),
    notes: [
      `Ours: medians of ${rounds} rounds. The earlier way: one, between them.`,
      'Each message is appended, gets the next number, and the tokens of the whole context are counted after it; the runner counts once a step.',
      '"Processor" is the time that processors worked for this process, on all its threads: who else uses the machine is not in it, nor is waiting for the disk. The goals are held against it.',
      '"Bookkeeping" is, by the clock, the part that is no writing: for the earlier way all its reading, for ours the count (the next number is in memory).',
      `A line of messages.jsonl has ${bytes(({ ours }) => ours)} bytes on average, ${bytes(({ earlier }) => earlier)} the earlier way, which keeps no message to go on from.`,
      'The earlier way blocks the process while it reads and writes; ours waits for seven file operations for each message, which other tasks share their time with.',
    ],
  };
}

function toTable(caption: string, figures: readonly JournalFigures[]): Table {
  return {
    caption,
    columns: [
      ...['messages', 'ours', 'processor', 'bookkeeping'],
      ...['earlier', 'processor', 'bookkeeping', 'ratio', 'by processor', 'of bookkeeping'],
    ],
    rows: figures.map((one) => [
      String(one.messages),
      ...toCells(one.ours),
      ...toCells(one.earlier),
      `${(one.earlier.totalMs / one.ours.totalMs).toFixed(1)}x`,
      `${toRatio(one).toFixed(1)}x`,
      `${(one.earlier.bookkeepingMs / one.ours.bookkeepingMs).toFixed(0)}x`,
    ]),
  };
}

function toCells({ totalMs, processorMs, bookkeepingMs }: JournalCosts): readonly string[] {
  return [totalMs, processorMs, bookkeepingMs].map((time) => time.toFixed(0));
}

function toGoals(unsynced: readonly JournalFigures[]): readonly Goal[] {
  const find = (messages: number): JournalFigures => {
    const found = unsynced.find((one) => one.messages === messages);
    if (found === undefined) throw new Error(`A run of ${messages} messages was not measured.`);
    return found;
  };
  const thousand = find(1_000);
  return [
    {
      name: '1,000 messages: the earlier way over ours',
      measured: toRatio(thousand),
      atLeast: 300,
      unit: 'x',
    },
    {
      name: 'a message at 2,000 over one at 500 (quadratic: 4)',
      measured: toGrowth(find(500), find(2_000)),
      atMost: 1.5,
      unit: 'x',
    },
  ];
}
