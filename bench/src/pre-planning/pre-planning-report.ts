import type { Report, Table } from '../report.ts';
import type { AnswerFate } from './measure-answers.ts';
import type { CollectionTimes } from './measure-collection.ts';
import { type HostileTimes, hostileChars, limitMs } from './measure-hostile.ts';

export interface PrePlanningFigures {
  readonly collections: readonly CollectionTimes[];
  readonly hostile: readonly HostileTimes[];
  readonly fates: readonly AnswerFate[];
}

/** The figures in tables. */
export function toPrePlanningReport({ collections, hostile, fates }: PrePlanningFigures): Report {
  const largest = collections.at(-1);
  const slowest = Math.max(...hostile.map(({ ours }) => ours.fastest));
  const valid = fates.filter(({ isValid }) => isValid).length;
  const understood = fates.filter(({ isUnderstood }) => isUnderstood).length;
  const share = ((100 * understood) / fates.length).toFixed(1);
  return {
    title: 'pre-planning: what a model says, and what tools find',
    tables: [
      toCollectionTable(collections),
      toHostileTable(hostile),
      toFaultTable(fates),
      toRungTable(fates),
    ],
    goals: [
      {
        name: `${largest?.items} items of 100 ms, one by one over ours`,
        measured: largest === undefined ? Number.NaN : largest.oneByOneMs / largest.oursMs,
        atLeast: 6,
        unit: 'times',
      },
      {
        name: 'a hostile answer of 140 KB, by processor, the fastest round',
        measured: slowest,
        atMost: 5,
        unit: 'ms',
      },
      {
        name: `broken answers that end in a valid result (understood: ${share} %)`,
        measured: (100 * valid) / fates.length,
        atLeast: 100,
        unit: '%',
      },
    ],
    notes: [
      'Collections: the best of 3 rounds, in turn; the collector alone, with a tool that only waits.',
      `Hostile answers: ${hostileChars} characters of one pattern each, medians of 5 rounds of 25 readings and the fastest round; expressions in a row, as is commonly done, once, stopped after ${limitMs} ms.`,
      `Of ${fates.length} broken answers ${understood} (${share} %) were understood: the goal is the one that the model meant. For the others stands a goal that breaks off, or the minimal result, which is valid and says so by its confidence of 0.`,
      'Each broken answer is asked for over HTTP with nothing known of its endpoint; "calls" are answers of the model, refusals of the endpoint left aside.',
    ],
  };
}

function toCollectionTable(collections: readonly CollectionTimes[]): Table {
  return {
    caption: 'Collections, milliseconds',
    columns: ['items of 100 ms', 'one by one', 'ours', 'times'],
    rows: collections.map(({ items, oneByOneMs, oursMs }) => [
      items,
      Math.round(oneByOneMs),
      Math.round(oursMs),
      (oneByOneMs / oursMs).toFixed(1),
    ]),
  };
}

function toHostileTable(hostile: readonly HostileTimes[]): Table {
  const sorted = [...hostile].sort((one, other) => other.ours.fastest - one.ours.fastest);
  return {
    caption: 'Hostile answers of 140 KB, milliseconds',
    columns: ['pattern', 'ours', 'processor', 'fastest', 'expressions'],
    rows: sorted.map(({ pattern, ours, expressions }) => [
      pattern,
      ours.byClock.toFixed(1),
      ours.byProcessor.toFixed(1),
      ours.fastest.toFixed(1),
      expressions === null ? `over ${limitMs}` : expressions.byClock.toFixed(1),
    ]),
  };
}

function toFaultTable(fates: readonly AnswerFate[]): Table {
  const faults = [...new Set(fates.map(({ fault }) => fault))];
  return {
    caption: 'Broken answers by fault',
    columns: ['fault', 'answers', 'valid', 'understood', 'most calls', 'by'],
    rows: faults.map((fault) => {
      const those = fates.filter((fate) => fate.fault === fault);
      return [
        fault,
        those.length,
        those.filter(({ isValid }) => isValid).length,
        those.filter(({ isUnderstood }) => isUnderstood).length,
        Math.max(...those.map(({ calls }) => calls)),
        [...new Set(those.map(({ by }) => by))].join('; '),
      ];
    }),
  };
}

function toRungTable(fates: readonly AnswerFate[]): Table {
  const needed = [...new Set(fates.map(({ by }) => by))];
  return {
    caption: 'Broken answers by the mode that gave the result',
    columns: ['mode, reading', 'at the first answer', 'after a repair turn', 'understood'],
    rows: needed.map((by) => {
      const those = fates.filter((fate) => fate.by === by);
      const atFirst = those.filter(({ calls }) => calls === 1).length;
      const understood = those.filter(({ isUnderstood }) => isUnderstood).length;
      return [by, atFirst, those.length - atFirst, understood];
    }),
  };
}
