import { describe, expect, it } from 'vitest';
import { formatTable, toVerdict } from '../format-report.ts';
import { type JudgedPlay, toConversationReport } from './conversation-report.ts';
import type { Judgement } from './judge-play.ts';
import { listPrograms } from './programs.ts';

const flawless: Judgement = {
  ...{ comments: 3, lost: [], duplicated: [], outOfOrder: [], undone: 0 },
  late: [{ id: 'a', calls: 1 }],
  ...{ edits: { of: 2, heard: 2 }, deletions: { of: 1, heard: 1 } },
};
const play = (
  kind: JudgedPlay['program']['kind'],
  { drawn = 1, ...judgement }: Partial<Judgement> & { readonly drawn?: number } = {},
): JudgedPlay => ({
  ...{ program: { name: kind, kind }, drawn, killed: drawn },
  judgement: { ...flawless, ...judgement },
});
const report = (...plays: readonly JudgedPlay[]) => toConversationReport(plays, { notes: [] });

describe('toConversationReport', () => {
  it('adds up the plays of each program and number of kills, in a table for documents [NX-290]', () => {
    const { tables } = report(
      play('ours', { drawn: 0 }),
      play('ours', { lost: ['a'], late: [{ id: 'b', calls: 3 }] }),
      play('ours', { duplicated: ['c'], edits: { of: 1, heard: 0 } }),
    );
    expect(tables.map(formatTable)).toMatchInlineSnapshot(`
      [
        "By program and by kills drawn for each play

      | program | kills | plays | comments | lost | duplicated | late, most calls | late by more than 1 | out of order | edits heard | deletions heard |
      |---|---|---|---|---|---|---|---|---|---|---|
      | ours | 0 | 1 | 3 | 0 | 0 | 1 | 0 | 0 | 2 of 2 | 1 of 1 |
      | ours | 1 | 2 | 6 | 1 | 1 | 3 | 1 | 0 | 2 of 3 | 2 of 2 |",
      ]
    `);
  });

  it('holds ours to its goals, and nobody else [NX-290]', () => {
    const goalsOf = (...plays: readonly JudgedPlay[]) =>
      report(...plays).goals.map((goal) => [goal.name, toVerdict(goal)]);
    expect(goalsOf(play('ours')).every(([, verdict]) => verdict === 'met')).toBe(true);
    const bad = play('ours', {
      ...{ lost: ['a'], duplicated: ['a'], late: [{ id: 'a', calls: 2 }], outOfOrder: ['a'], undone: 1 },
      ...{ edits: { of: 2, heard: 1 }, deletions: { of: 1, heard: 0 } },
    });
    expect(goalsOf(play('ours'), bad).every(([, verdict]) => verdict === 'missed')).toBe(true);
    expect(goalsOf(play('control'), play('other'))).toEqual([]);
  });

  it('fails where a control loses nothing in all of its plays [NX-292]', () => {
    expect(report(play('ours'), play('control', { lost: ['a'] })).failure).toBeUndefined();
    expect(
      report(play('ours'), play('control', { drawn: 0 }), play('control', { lost: ['a'] })).failure,
    ).toBe(undefined);
    expect(report(play('ours'), play('control')).failure).toContain('the control control lost nothing');
  });

  it('has a control for each way of ours to be told something [NX-292]', () => {
    const kinds = listPrograms({ opencode: null }).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'control')).toHaveLength(3);
    expect(listPrograms({ opencode: '/bin/opencode' })).toHaveLength(kinds.length + 1);
  });
});
