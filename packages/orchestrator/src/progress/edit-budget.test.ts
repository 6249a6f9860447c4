import { describe, expect, it } from 'vitest';
import { createEditBudget } from './edit-budget.ts';

describe('a budget of edits', () => {
  it('leaves its reserve to changes of phase, and grows again with time [NX-126]', () => {
    let time = 0;
    const budget = createEditBudget({ capacity: 3, reserve: 1, refillMs: 1_000, now: () => time });
    const take = (...kinds: readonly ('step' | 'phase')[]) => kinds.map(budget.take);
    expect(take('step', 'step', 'step', 'phase', 'phase')).toEqual([true, true, false, true, false]);
    time = 1_000;
    expect(take('step', 'phase', 'phase')).toEqual([false, true, false]);
    time = 60_000;
    expect(take('phase', 'phase', 'phase', 'phase')).toEqual([true, true, true, false]);
  });

  it('is not emptied by a clock that was set back', () => {
    let time = 5_000;
    const budget = createEditBudget({ capacity: 2, reserve: 0, refillMs: 1_000, now: () => time });
    time = 0;
    expect([budget.take('step'), budget.take('step'), budget.take('step')]).toEqual([true, true, false]);
  });
});
