import type { Goal, Report, Table } from '../report.ts';
import type { JournalCosts } from './measure-journal.ts';
import type { ResumeFigures } from './measure-resume.ts';
import type { SampleKind } from './sample-messages.ts';

/** A run of so many messages, kept both ways. */
export interface JournalFigures {
  readonly messages: number;
  readonly kind: SampleKind;
  /** Nobody waits for the disk. */
  readonly ours: JournalCosts;
  readonly earlier: JournalCosts;
  /** Ours as it is: each message is on the disk before the next. */
  readonly synced: JournalCosts;
  /** Processor time of one write for each message and nothing else. */
  readonly bareMs: number;
}

const names: Readonly<Record<SampleKind, string>> = {
  short: 'Short outputs (up to 3 lines)',
  long: 'Long outputs (up to 80 lines)',
};

/** How many times as much processor time the earlier way takes. */
function toRatio({ ours, earlier }: JournalFigures): number {
  return earlier.processorMs / ours.processorMs;
}

/** How much more processor time one message takes in the longer run: 1 where the whole is linear. */
export function toGrowth(short: JournalFigures, long: JournalFigures): number {
  return perMessage(long) / perMessage(short);
}

/** The figures in tables. */
export function toJournalReport(
  {
    figures,
    resumes,
  }: { readonly figures: readonly JournalFigures[]; readonly resumes: readonly ResumeFigures[] },
  { rounds }: { readonly rounds: number },
): Report {
  const ofKind = (kind: SampleKind) => figures.filter((one) => one.kind === kind);
  return {
    title: 'journal: what it costs to keep the messages of a run',
    tables: [toTable(ofKind('short')), toTable(ofKind('long')), toSyncTable(figures), toResumeTable(resumes)],
    goals: [
      ...(['short', 'long'] as const).flatMap((kind) => toGoals(ofKind(kind), kind)),
      ...resumes.filter(({ events }) => events === 1_500).map(toResumeGoal),
    ],
    notes: [
      `Medians of ${rounds} rounds, both ways in turn, after rounds that nobody counts.`,
      'Ours is the journal of a store that an owner has, as the daemon opens it: each line is chained to the one before, and written under the short lock.',
      'Each message gets the next number and is appended, and the tokens of the whole context are counted after it: both ways do all three for each message. Runs count once a step, which is two messages or more.',
      '"Processor" is the time that processors worked for this process, on all its threads: who else uses the machine is not in it, but slows it down; waiting for the disk is not in it. The goals are held against it.',
      '"Bare append" is one JSON text and one write to an open file for each message, number and tokens in memory. It keeps no message to go on from and notices no file that is gone: a yardstick, no journal.',
      '"Without writing" is, by the clock, finding the next number and counting: for the earlier way all its reading, for ours the count (the next number is in memory). On a busy machine it says little.',
      'Going on: the run is opened by a new store (its end repaired, all lines checked, the files beside it compared, the opening noted) and its journal read once; medians of 21 rounds, the parsing of the same file in turn.',
      'Waiting for the disk is in neither way, but in a table of its own: the earlier way never waited, and so could lose what it had acknowledged.',
    ],
  };
}

function toTable(figures: readonly JournalFigures[]): Table {
  const [first] = figures;
  if (first === undefined) throw new Error('Nothing was measured.');
  const bytes = (read: (one: JournalFigures) => JournalCosts) =>
    Math.round(Math.max(...figures.map((one) => read(one).bytes / one.messages)));
  const lengths = `${bytes(({ ours }) => ours)} bytes in a line of messages.jsonl, ${bytes(({ earlier }) => earlier)} the earlier way`;
  return {
    caption: `${names[first.kind]}: ${lengths}`,
    columns: [
      ...['messages', 'ours, processor ms', 'µs a message', 'earlier, processor ms', 'ratio'],
      ...['bare append', 'ratio', 'ours without writing, ms', 'earlier, ms', 'ratio'],
    ],
    rows: figures.map((one) => [
      String(one.messages),
      one.ours.processorMs.toFixed(1),
      (perMessage(one) * 1_000).toFixed(1),
      one.earlier.processorMs.toFixed(0),
      `${toRatio(one).toFixed(0)}x`,
      one.bareMs.toFixed(1),
      `${(one.earlier.processorMs / one.bareMs).toFixed(0)}x`,
      one.ours.bookkeepingMs.toFixed(1),
      one.earlier.bookkeepingMs.toFixed(0),
      `${(one.earlier.bookkeepingMs / one.ours.bookkeepingMs).toFixed(0)}x`,
    ]),
  };
}

function toSyncTable(figures: readonly JournalFigures[]): Table {
  return {
    caption: 'Ours by the clock, µs a message',
    columns: ['run', 'without waiting for the disk', 'each message on the disk before the next'],
    rows: figures.map((one) => [
      `${one.messages} messages, ${one.kind} outputs`,
      ((one.ours.totalMs / one.messages) * 1_000).toFixed(0),
      ((one.synced.totalMs / one.messages) * 1_000).toFixed(0),
    ]),
  };
}

function toResumeTable(resumes: readonly ResumeFigures[]): Table {
  return {
    caption: 'Going on with a run in a new process, milliseconds of the processor',
    columns: ['run', 'KB', 'opened', 'journal read', 'the file read and parsed', 'ratio', 'by the clock'],
    rows: resumes.map((one) => [
      `${one.events} events, ${one.kind} outputs`,
      (one.bytes / 1_024).toFixed(0),
      one.openMs.toFixed(1),
      one.readMs.toFixed(1),
      one.parseMs.toFixed(1),
      `${toResumeRatio(one).toFixed(1)}x`,
      one.totalMs.toFixed(1),
    ]),
  };
}

function toResumeRatio({ openMs, readMs, parseMs }: ResumeFigures): number {
  return (openMs + readMs) / parseMs;
}

function toResumeGoal(one: ResumeFigures): Goal {
  return {
    name: `going on with ${one.events} events, ${one.kind} outputs, over reading and parsing the file`,
    measured: toResumeRatio(one),
    atMost: 3,
    unit: 'x',
  };
}

function perMessage({ ours, messages }: JournalFigures): number {
  return ours.processorMs / messages;
}

function toGoals(figures: readonly JournalFigures[], kind: SampleKind): readonly Goal[] {
  const find = (messages: number): JournalFigures => {
    const found = figures.find((one) => one.messages === messages);
    if (found === undefined) throw new Error(`A run of ${messages} messages was not measured.`);
    return found;
  };
  return [
    {
      name: `1,000 messages, ${kind} outputs: the earlier way over ours`,
      measured: toRatio(find(1_000)),
      atLeast: 300,
      unit: 'x',
    },
    {
      name: `a message at 2,000 over one at 200, ${kind} outputs (quadratic: 10)`,
      measured: toGrowth(find(200), find(2_000)),
      atMost: 1.5,
      unit: 'x',
    },
  ];
}
