import type { Report, Table } from '../report.ts';
import type { Score } from './corpus.ts';
import type { CleanTime, RoundTime } from './measure-clean.ts';

/** One input cleaned both ways; null where the naive way was stopped. */
export interface InputTimes {
  readonly name: string;
  readonly ours: CleanTime;
  readonly naive: RoundTime | null;
}

export interface CleanFigures {
  readonly scores: { readonly ours: Score; readonly naive: Score };
  readonly worst: readonly InputTimes[];
  /** Rows of pieces drawn by chance, cleaned our way. */
  readonly random: readonly (CleanTime & { readonly name: string })[];
  /** The first call of a process, before anything is compiled. */
  readonly first: RoundTime;
  readonly prose: { readonly megabytes: number; readonly ours: CleanTime; readonly naive: CleanTime };
  readonly naiveLimitMs: number;
}

const shownWorst = 15;

/** The figures in tables. */
export function toCleanReport(figures: CleanFigures): Report {
  const { scores, worst, random, first } = figures;
  const ours = [...worst].sort((a, b) => b.ours.fastest - a.ours.fastest);
  const slowest = Math.max(...[...worst.map((one) => one.ours), ...random].map(({ fastest }) => fastest));
  const stopped = worst.filter(({ naive }) => naive === null).length;
  return {
    title: 'clean: what strangers write, before a model reads it',
    tables: [
      toScoreTable(scores),
      toTimeTable(
        `The ${shownWorst} slowest of ${worst.length} worst inputs of 256 KB, milliseconds`,
        ours.slice(0, shownWorst),
        figures,
      ),
      toThroughputTable(figures),
    ],
    goals: [
      {
        name: 'attacks disarmed',
        measured: toShare(scores.ours.disarmed.length, scores.ours.missed.length),
        atLeast: 100,
        unit: '%',
      },
      { name: 'hidden texts that pass with words', measured: scores.ours.words, atMost: 0, unit: '' },
      {
        name: 'hidden texts that pass as bits',
        measured: toShare(scores.ours.bits, scores.ours.hidden - scores.ours.bits),
        atMost: 5,
        unit: '%',
      },
      {
        name: 'honest texts unchanged (the others look the same, says a test)',
        measured: toShare(scores.ours.unchanged.length, scores.ours.changed.length),
        atLeast: 94,
        unit: '%',
      },
      {
        name: '256 KB of the worst, by processor, the fastest round',
        measured: slowest,
        atMost: 50,
        unit: 'ms',
      },
    ],
    notes: [
      'The naive way is ours to compare with: one expression after the other, as is commonly done, without knowing what is code.',
      `Times: medians of 7 rounds and the fastest, the naive way one, stopped after ${figures.naiveLimitMs} ms (${stopped} of ${worst.length} were). "Processor" is what the processor worked for the thread, waiting for it is not in it; the goal is held against the fastest round, which whoever shares the machine has slowed down least.`,
      `${random.length} more inputs, rows of pieces drawn by chance (always the same) and repeated to 256 KB: the slowest ${Math.max(...random.map(({ fastest }) => fastest)).toFixed(1)} ms.`,
      `The first call of the process, on a worst input: ${first.byProcessor.toFixed(1)} ms.`,
      `Missed by the naive way, for example: ${scores.naive.missed.slice(0, 8).join('; ')}.`,
      `Scripts that the naive way damages: ${[...new Set(scores.naive.changed.map(({ script }) => script))].join(', ')}.`,
    ],
  };
}

function toScoreTable({ ours, naive }: CleanFigures['scores']): Table {
  const toRow = (name: string, { disarmed, missed, unchanged, changed }: Score) => [
    name,
    `${disarmed.length} of ${disarmed.length + missed.length}`,
    `${unchanged.length} of ${unchanged.length + changed.length}`,
  ];
  return {
    caption: 'The corpus',
    columns: ['way', 'attacks disarmed', 'honest texts unchanged'],
    rows: [toRow('ours', ours), toRow('naive', naive)],
  };
}

function toTimeTable(caption: string, times: readonly InputTimes[], { naiveLimitMs }: CleanFigures): Table {
  return {
    caption,
    columns: ['input', 'ours', 'processor', 'fastest', 'naive', 'processor'],
    rows: times.map(({ name, ours, naive }) => [
      name,
      ours.byClock.toFixed(1),
      ours.byProcessor.toFixed(1),
      ours.fastest.toFixed(1),
      naive === null ? `over ${naiveLimitMs}` : naive.byClock.toFixed(1),
      naive === null ? '–' : naive.byProcessor.toFixed(1),
    ]),
  };
}

function toThroughputTable({ prose: { megabytes, ours, naive } }: CleanFigures): Table {
  const toRow = (name: string, { fastest }: CleanTime) => [name, (megabytes / (fastest / 1_000)).toFixed(0)];
  return {
    caption: `Throughput on the honest texts, repeated to 256 Ki characters (${megabytes.toFixed(2)} MB of UTF-8)`,
    columns: ['way', 'MB/s'],
    rows: [toRow('ours', ours), toRow('naive', naive)],
  };
}

function toShare(some: number, others: number): number {
  return (100 * some) / (some + others);
}
