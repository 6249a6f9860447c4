import { describe, expect, it } from 'vitest';
import { createStateKeeper } from './phase-parts.ts';
import { initialState, type PrePlanningState, readPrePlanningState } from './pre-planning-state.ts';

const note = (text: string) => (state: PrePlanningState) => ({ constraints: [...state.constraints, text] });

function setUp() {
  const saved: (readonly string[])[] = [];
  const pending: PromiseWithResolvers<void>[] = [];
  const keeper = createStateKeeper(({ constraints }) => {
    saved.push(constraints);
    pending.push(Promise.withResolvers<void>());
    return pending.at(-1)?.promise ?? Promise.resolve();
  }, null);
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return { saved, pending, keeper, turn };
}

describe('the state that is kept', () => {
  it('is written once for all changes that come while an earlier one is written [PP-57]', async () => {
    const { saved, pending, keeper, turn } = setUp();
    const first = keeper.update(note('a'));
    await turn();
    let isKept = false;
    const others = Promise.all(['b', 'c', 'd'].map((text) => keeper.update(note(text)))).then(() => {
      isKept = true;
    });
    await turn();
    expect(saved, 'never two at the same time: the later could be overtaken').toEqual([['a']]);
    pending[0]?.resolve();
    await first;
    await turn();
    expect(saved).toEqual([['a'], ['a', 'b', 'c', 'd']]);
    expect(isKept).toBe(false);
    pending[1]?.resolve();
    await others;
    void keeper.update(note('e'));
    await turn();
    expect(saved).toHaveLength(3);
  });

  it('tells each who changed it that it could not be written, and is written whole the next time', async () => {
    const { saved, pending, keeper, turn } = setUp();
    const both = Promise.allSettled([keeper.update(note('a')), keeper.update(note('b'))]);
    await turn();
    pending[0]?.reject(new Error('the disk is full'));
    expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const next = keeper.update(note('c'));
    await turn();
    pending[1]?.resolve();
    await next;
    expect(saved.at(-1)).toEqual(['a', 'b', 'c']);
  });
});

describe('readPrePlanningState', () => {
  it('gives back what was kept, and says where something is no state [PP-58]', () => {
    const warnings: object[] = [];
    const logger = { warn: (fields: object) => warnings.push(fields) };
    expect(readPrePlanningState(JSON.parse(JSON.stringify(initialState)), logger)).toEqual(initialState);
    expect(warnings).toEqual([]);
    expect(readPrePlanningState({ ...initialState, assumption_count: -1 }, logger)).toBeNull();
    expect(warnings).toEqual([{ places: ['assumption_count: too_small'] }]);
  });
});
