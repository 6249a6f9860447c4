import type { Report, Table } from '../report.ts';
import type { PrefixShare } from './measure-prefix.ts';
import type { TranscriptTimes } from './measure-transcript.ts';
import { limits } from './sample-history.ts';

export interface TranscriptFigures {
  readonly times: readonly TranscriptTimes[];
  readonly threadLength: number;
  readonly prefix: { readonly plain: PrefixShare; readonly stable: PrefixShare };
}

/** The figures in tables. */
export function toTranscriptReport({ times, threadLength, prefix }: TranscriptFigures): Report {
  const at = (wanted: number): TranscriptTimes => {
    const found = times.find(({ count }) => count === wanted);
    if (found === undefined) throw new Error(`There are no times for ${wanted} messages.`);
    return found;
  };
  const large = at(10_000);
  return {
    title: 'transcript: from the messages of a thread to what a model is given',
    tables: [toTimeTable(times), toPrefixTable(threadLength, prefix)],
    goals: [
      {
        name: 'naive, 10,000 messages',
        measured: (large.shaping + large.naive) / large.ours,
        atLeast: 10_000,
        unit: 'times ours',
      },
      {
        name: 'running sum, 10,000 messages',
        measured: (large.shaping + large.runningSum) / large.ours,
        atLeast: 50,
        unit: 'times ours',
      },
      {
        name: '100,000 messages beside 1,000',
        measured: at(100_000).ours / at(1_000).ours,
        atMost: 1.5,
        unit: 'times',
      },
    ],
    notes: [
      `Limits: ${limits.maxMessages} messages and ${limits.maxTranscriptChars} UTF-16 units, as in the seed. Every way begins with the same messages in memory and gives the same transcript, which is checked.`,
      'Milliseconds of processor time for one transcript: medians of 9 batches; the naive way once from 10,000 messages on. With a star: extrapolated from 20 of its drops, because all of them would take minutes.',
      'Ours reads pages of at most 100 from the newest on, and no more than the budget leaves room for. Both others read and shape every message of the thread first, by the same code, and fit the lines then ("of it fitting").',
      'The naive way joins all lines, measures, and drops the oldest, until the text fits; the running sum measures each line once and drops by shift().',
      `The thread of ${threadLength} messages: one prompt for each message of a person; only prompts from which the first turn is gone are counted. "The same" is what a prompt has in common with the beginning of the one before.`,
    ],
  };
}

function toTimeTable(times: readonly TranscriptTimes[]): Table {
  const toRow = ({ count, pages, ...ms }: TranscriptTimes) => {
    const naive = ms.shaping + ms.naive;
    const runningSum = ms.shaping + ms.runningSum;
    return [
      ...[String(count), pages, ms.ours.toFixed(3), ms.stable.toFixed(3)],
      ...[runningSum.toFixed(2), ms.runningSum.toFixed(3), (runningSum / ms.ours).toFixed(1)],
      ...[`${naive.toFixed(1)}${ms.isExtrapolated ? '*' : ''}`, (naive / ms.ours).toFixed(0)],
    ];
  };
  return {
    caption: 'One transcript, milliseconds of processor time',
    columns: [
      ...['messages', 'pages read', 'ours', 'ours, stable'],
      ...['running sum', 'of it fitting', 'times ours', 'naive', 'times ours'],
    ],
    rows: times.map(toRow),
  };
}

function toPrefixTable(threadLength: number, { plain, stable }: TranscriptFigures['prefix']): Table {
  const toRow = (name: string, share: PrefixShare) => [
    name,
    share.prompts,
    share.newBeginnings,
    share.promptChars.toFixed(0),
    share.newChars.toFixed(0),
    `${share.samePercent.toFixed(1)} %`,
  ];
  return {
    caption: `A thread of ${threadLength} messages, prompts after the budget is full`,
    columns: ['mode', 'prompts', 'new beginnings', 'units a prompt', 'of them new', 'the same'],
    rows: [toRow('default', plain), toRow('stable', stable)],
  };
}
