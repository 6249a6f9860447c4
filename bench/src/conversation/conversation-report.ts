import type { Goal, Report, Table } from '../report.ts';
import type { Judgement } from './judge-play.ts';
import type { MeasuredProgram } from './programs.ts';

/** A play that was judged. */
export interface JudgedPlay {
  readonly program: Pick<MeasuredProgram, 'name' | 'kind'>;
  /** Kills that were drawn, and those that were done before the program had ended. */
  readonly drawn: number;
  readonly killed: number;
  readonly judgement: Judgement;
}

/** Figures of some plays together. */
interface Sum {
  readonly comments: number;
  readonly lost: number;
  readonly duplicated: number;
  readonly mostLate: number;
  readonly lateByMore: number;
  readonly outOfOrder: number;
  readonly edits: readonly [number, number];
  readonly deletions: readonly [number, number];
  readonly undone: number;
}

/** Reports what was found; it has a failure where a control lost nothing, for then these plays cannot show what they are for. */
export function toConversationReport(
  plays: readonly JudgedPlay[],
  { notes }: { readonly notes: readonly string[] },
): Report {
  const names = [...new Set(plays.map(({ program }) => program.name))];
  const ofProgram = (name: string) => plays.filter(({ program }) => program.name === name);
  const blind = names.filter((name) => {
    const [first] = ofProgram(name);
    return first?.program.kind === 'control' && sumUp(ofProgram(name)).lost === 0;
  });
  return {
    title: 'conversation: what people say while an agent works and is killed',
    tables: [toTable(names.flatMap((name) => toRows(name, ofProgram(name))))],
    goals: names
      .filter((name) => ofProgram(name)[0]?.program.kind === 'ours')
      .flatMap((name) => toGoals(name, sumUp(ofProgram(name)))),
    notes,
    ...(blind.length === 0
      ? {}
      : {
          failure: `The bench is blind: the control${blind.length > 1 ? 's' : ''} ${blind.join(' and ')} lost nothing, so that nothing that it says of the others means anything. Give it more rounds, or conversations with more in them.`,
        }),
  };
}

/** Adds up the judgements of plays. */
function sumUp(plays: readonly JudgedPlay[]): Sum {
  const judgements = plays.map(({ judgement }) => judgement);
  const count = (of: (judgement: Judgement) => number): number =>
    judgements.reduce((sum, judgement) => sum + of(judgement), 0);
  const late = judgements.flatMap((judgement) => judgement.late.map(({ calls }) => calls));
  return {
    comments: count(({ comments }) => comments),
    lost: count(({ lost }) => lost.length),
    duplicated: count(({ duplicated }) => duplicated.length),
    mostLate: Math.max(0, ...late),
    lateByMore: late.filter((calls) => calls > 1).length,
    outOfOrder: count(({ outOfOrder }) => outOfOrder.length),
    edits: [count(({ edits }) => edits.heard), count(({ edits }) => edits.of)],
    deletions: [count(({ deletions }) => deletions.heard), count(({ deletions }) => deletions.of)],
    undone: count(({ undone }) => undone),
  };
}

function toTable(rows: Table['rows']): Table {
  return {
    caption: 'By program and by kills drawn for each play',
    columns: [
      ...['program', 'kills', 'plays', 'comments', 'lost', 'duplicated'],
      ...['late, most calls', 'late by more than 1', 'out of order', 'edits heard', 'deletions heard'],
    ],
    rows,
    format: 'markdown',
  };
}

function toRows(name: string, plays: readonly JudgedPlay[]): Table['rows'] {
  const kills = [...new Set(plays.map(({ drawn }) => drawn))].sort((a, b) => a - b);
  return kills.map((drawn) => {
    const some = plays.filter((play) => play.drawn === drawn);
    const sum = sumUp(some);
    const mark = { ours: '', control: ' (control)', other: ' (other)' }[some[0]?.program.kind ?? 'ours'];
    return [
      ...[`${name}${mark}`, drawn, some.length, sum.comments, sum.lost, sum.duplicated],
      ...[sum.mostLate, sum.lateByMore, sum.outOfOrder, toShare(sum.edits), toShare(sum.deletions)],
    ];
  });
}

function toGoals(name: string, sum: Sum): readonly Goal[] {
  return [
    { name: `${name}: lost`, measured: sum.lost, atMost: 0, unit: 'comments' },
    { name: `${name}: duplicated`, measured: sum.duplicated, atMost: 0, unit: 'comments' },
    { name: `${name}: late`, measured: sum.mostLate, atMost: 1, unit: 'calls' },
    { name: `${name}: out of order`, measured: sum.outOfOrder, atMost: 0, unit: 'comments' },
    { name: `${name}: edits heard`, measured: toPercent(sum.edits), atLeast: 100, unit: '%' },
    { name: `${name}: deletions heard`, measured: toPercent(sum.deletions), atLeast: 100, unit: '%' },
    { name: `${name}: acts of people after its end`, measured: sum.undone, atMost: 0, unit: 'acts' },
  ];
}

function toPercent([heard, of]: readonly [number, number]): number {
  return of === 0 ? 100 : (100 * heard) / of;
}

function toShare([heard, of]: readonly [number, number]): string {
  return `${heard} of ${of}`;
}
