import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeDecision, toUuid } from '../../test/inheritance-setup.ts';
import type { KeyDecision } from './decision.ts';
import { parseDecisionLines, toDecisionLine } from './decision-line.ts';
import { keepDecisions, type PresentState, resolveDecisions } from './resolve-decisions.ts';

const unknown: PresentState = { comments: null, request: null, readFile: null };
const run = (mark: string, day: number, ...keyDecisions: readonly KeyDecision[]) => ({
  uuid: toUuid(mark),
  completedAt: `2026-11-0${day}T10:00:00Z`,
  keyDecisions,
});
const byComment = (id: string, text: string, changes: Partial<KeyDecision> = {}): KeyDecision =>
  makeDecision({
    ...{
      id,
      text,
      isTrusted: true,
      source: { kind: 'comment', commentId: `c${id}`, sha256: `hash of c${id}` },
    },
    ...changes,
  });
const statesOf = async (runs: Parameters<typeof resolveDecisions>[0], present = unknown) => {
  const { decisions, retracted, conflicts } = await resolveDecisions(runs, present);
  return {
    states: Object.fromEntries(decisions.map(({ id, state }) => [id, state.kind])),
    retracted: Object.fromEntries(retracted.map(({ id, reason }) => [id, reason])),
    conflicts: conflicts.map(({ decisions: all }) => all.map(({ id }) => id)),
  };
};

describe('decisions of earlier runs', () => {
  const flask = byComment('a-1', 'Use Flask', { subject: 'Framework' });
  const node = byComment('b-1', 'Use Node', { subject: 'framework', replaces: ['a-1'] });

  it('are replaced by a later decision that names them', async () => {
    const { decisions } = await resolveDecisions([run('b', 5, node), run('a', 1, flask)], unknown);
    expect(decisions.map(({ id, state }) => [id, state])).toEqual([
      ['b-1', { kind: 'open' }],
      [
        'a-1',
        {
          kind: 'replaced',
          by: { id: 'b-1', text: 'Use Node', runUuid: toUuid('b'), decidedAt: '2026-11-05T10:00:00Z' },
        },
      ],
    ]);
  });

  it('are open again when the comment that replaced them is deleted', async () => {
    const comments = new Map([['ca-1', 'hash of ca-1']]);
    expect(await statesOf([run('b', 5, node), run('a', 1, flask)], { ...unknown, comments })).toEqual({
      states: { 'a-1': 'open' },
      retracted: { 'b-1': 'deleted' },
      conflicts: [],
    });
  });

  it('of trusted users are not replaced by others, even by one that repeats the words of a trusted user', async () => {
    const stranger = { ...node, isTrusted: false };
    const agent = makeDecision({ id: 'c-1', text: 'Use Deno', subject: 'framework', replaces: ['a-1'] });
    const repeated = makeDecision({ id: 'd-1', text: 'Round once', replaces: ['a-1'] });
    const round = byComment('r-1', 'Round once');
    const runs = [
      run('d', 7, repeated),
      run('c', 6, agent),
      run('b', 5, stranger),
      run('a', 1, flask, round),
    ];
    expect((await statesOf(runs)).states['a-1']).toBe('open');
  });

  it('are neither renewed nor kept after a retraction by a repetition of the agent', async () => {
    const repeated = (id: string, text: string) => makeDecision({ id, text, replaces: ['b-1'] });
    const runs = [run('c', 7, repeated('c-1', 'Use Flask')), run('b', 5, node), run('a', 1, flask)];
    expect((await statesOf(runs)).states).toEqual({ 'b-1': 'open', 'a-1': 'replaced' });
    const withdrawn = [run('c', 7, repeated('c-1', 'Use Flask')), run('a', 1, flask)];
    expect(await statesOf(withdrawn, { ...unknown, comments: new Map() })).toMatchObject({
      states: {},
      retracted: { 'a-1': 'deleted' },
    });
  });

  it('of two comments with the same words hold as long as one of them stands', async () => {
    const again = {
      ...flask,
      id: 'b-1',
      source: { kind: 'comment' as const, commentId: 'cb-1', sha256: 'hash' },
    };
    const runs = [run('b', 5, again), run('a', 1, flask)];
    const comments = new Map([['ca-1', 'hash of ca-1']]);
    expect((await statesOf(runs, { ...unknown, comments })).states).toEqual({ 'a-1': 'open' });
    const { decisions } = await resolveDecisions([run('a', 1, flask)], unknown);
    expect(keepDecisions(decisions, [again]).map(({ id }) => id)).toEqual(['a-1']);
    expect(keepDecisions(decisions, [{ ...flask, id: 'c-1' }]).map(({ id }) => id)).toEqual(['a-1']);
    expect(keepDecisions(decisions, [flask])).toEqual([]);
    expect(keepDecisions(decisions, [makeDecision({ id: 'c-1', text: flask.text })])).toHaveLength(1);
  });

  it('that were replaced stay replaced when the same comment is cited again', async () => {
    const runs = [run('c', 7, { ...flask, id: 'c-1' }), run('b', 5, node), run('a', 1, flask)];
    expect((await statesOf(runs)).states).toEqual({ 'b-1': 'open', 'a-1': 'replaced' });
  });

  it('that are information are replaced by a later one on the same subject', async () => {
    const agent = makeDecision({ id: 'x-1', text: 'Use Deno', subject: 'Framework ' });
    expect((await statesOf([run('b', 5, flask), run('a', 1, agent)])).states).toEqual({
      'a-1': 'open',
      'x-1': 'replaced',
    });
  });

  it('of a comment on another thread are retracted if it was edited, not if it is not listed', async () => {
    const source = { kind: 'comment', commentId: 'd1', sha256: 'old', thread: 'draft' } as const;
    const runs = [run('a', 1, byComment('a-1', 'Use Flask', { source }))];
    expect((await statesOf(runs, { ...unknown, comments: new Map() })).states).toEqual({ 'a-1': 'open' });
    const comments = new Map([['d1', 'new']]);
    expect((await statesOf(runs, { ...unknown, comments })).retracted).toEqual({ 'a-1': 'edited' });
    const line = JSON.parse(JSON.stringify(toDecisionLine(byComment('a-1', 'Use Flask', { source }))));
    expect(parseDecisionLines([line], { idPrefix: 'x' }).decisions[0]?.source).toEqual(source);
  });

  it('contradict each other if both are open on one subject and of trusted users', async () => {
    const other = { ...node, replaces: [] };
    expect((await statesOf([run('b', 5, other), run('a', 1, flask)])).conflicts).toEqual([['b-1', 'a-1']]);
    expect((await statesOf([run('b', 5, node), run('a', 1, flask)])).conflicts).toEqual([]);
  });

  it('are retracted when the issue they rest on is edited, and stale when the tree changed', async () => {
    const decisions = [
      makeDecision({ id: '1', text: 'One', isTrusted: true, source: { kind: 'thread', sha256: 'old' } }),
      byComment('2', 'Two', { evidence: { paths: ['gone.ts'], quote: null } }),
      byComment('3', 'Three', { evidence: { paths: ['sum.ts'], quote: 'round(sum)' } }),
      byComment('4', 'Four', { evidence: { paths: ['sum.ts'], quote: 'ceil(sum)' } }),
      byComment('5', 'Five', { evidence: { paths: ['unreadable.ts'], quote: 'ceil(sum)' } }),
    ];
    const readFile = async (path: string) => {
      if (path === 'unreadable.ts') throw new Error('EIO');
      return path === 'sum.ts' ? 'a\r\n\tround(sum)\r\n' : null;
    };
    const present = { comments: null, request: 'new', readFile };
    const { decisions: all, retracted } = await resolveDecisions([run('a', 1, ...decisions)], present);
    expect(retracted.map(({ id, reason }) => [id, reason])).toEqual([['1', 'edited']]);
    expect(Object.fromEntries(all.map(({ id, state }) => [id, state]))).toEqual({
      2: { kind: 'stale', reason: 'missing-path', path: 'gone.ts' },
      3: { kind: 'open' },
      4: { kind: 'stale', reason: 'missing-line', path: 'sum.ts' },
      5: { kind: 'open' },
    });
  });

  it('of trusted users survive any number of runs, whatever is edited, deleted, replaced or ends without a summary', async () => {
    const anyStep = fc.record({
      crashes: fc.boolean(),
      decides: fc.array(
        fc.record({ trusted: fc.boolean(), replaces: fc.array(fc.nat(30), { maxLength: 2 }) }),
        {
          maxLength: 3,
        },
      ),
      deletes: fc.option(fc.nat(30)),
      edits: fc.option(fc.nat(30)),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { maxLength: 12 }), async (steps) => {
        const maxDepth = 2;
        const comments = new Map<string, string>();
        const runs: ReturnType<typeof run>[] = [];
        const all: KeyDecision[] = [];
        for (const [number, { crashes, decides, deletes, edits }] of steps.entries()) {
          const inherited = await resolveDecisions(runs.slice(0, maxDepth), { ...unknown, comments });
          if (!crashes) {
            const own = decides.map(({ trusted, replaces }, index) => {
              const id = `${number}-${index}`;
              comments.set(`c${id}`, `hash of c${id}`);
              const named = replaces.map((one) => all[one]?.id ?? '');
              return byComment(id, `Decision ${id}`, { isTrusted: trusted, replaces: named });
            });
            all.push(...own);
            const lines = [...own, ...keepDecisions(inherited.decisions, own)].map(toDecisionLine);
            const { decisions } = parseDecisionLines(JSON.parse(JSON.stringify(lines)), { idPrefix: 'x' });
            runs.unshift({
              uuid: toUuid('a'),
              completedAt: new Date(number * 1_000).toISOString(),
              keyDecisions: decisions,
            });
          }
          const commentOf = (index: number | null) => `c${all[index ?? -1]?.id}`;
          if (deletes !== null) comments.delete(commentOf(deletes));
          if (edits !== null && comments.has(commentOf(edits))) comments.set(commentOf(edits), 'edited');
        }
        const { decisions } = await resolveDecisions(runs.slice(0, maxDepth), { ...unknown, comments });
        const shown = new Map(decisions.map((decision) => [decision.id, decision]));
        const isWithdrawn = ({ id }: KeyDecision) => comments.get(`c${id}`) !== `hash of c${id}`;
        const isReplaced = ({ id }: KeyDecision) =>
          all.some((one) => one.isTrusted && !isWithdrawn(one) && one.replaces.includes(id));
        for (const decision of all) {
          const found = shown.get(decision.id);
          if (decision.isTrusted && !isWithdrawn(decision))
            expect(found?.state.kind).toBe(isReplaced(decision) ? 'replaced' : 'open');
          if (found !== undefined) expect(found.isTrusted).toBe(decision.isTrusted);
          if (isWithdrawn(decision)) expect(found).toBeUndefined();
        }
      }),
      { numRuns: 300 },
    );
  });
});
