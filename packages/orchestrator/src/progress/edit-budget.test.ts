import { createMemorySharedUse } from '@agent/platforms/sources';
import { describe, expect, it } from 'vitest';
import type { EditKind } from '../run/run.ts';
import { createEditBudget, type EditBudget } from './edit-budget.ts';

async function takeAll(budget: EditBudget, kinds: readonly EditKind[]): Promise<readonly boolean[]> {
  const taken: boolean[] = [];
  for (const kind of kinds) taken.push(await budget.take(kind));
  return taken;
}

describe('a budget of edits', () => {
  it('leaves its reserve to changes of phase, and grows again with time [NX-126]', async () => {
    let time = 0;
    const budget = createEditBudget({ capacity: 3, reserve: 1, refillMs: 1_000, now: () => time });
    const take = (...kinds: readonly EditKind[]) => takeAll(budget, kinds);
    expect(await take('step', 'step', 'step', 'phase', 'phase')).toEqual([true, true, false, true, false]);
    time = 1_000;
    expect(await take('step', 'phase', 'phase')).toEqual([false, true, false]);
    time = 60_000;
    expect(await take('phase', 'phase', 'phase', 'phase')).toEqual([true, true, true, false]);
  });

  it('is not emptied by a clock that was set back', async () => {
    let time = 5_000;
    const budget = createEditBudget({ capacity: 2, reserve: 0, refillMs: 1_000, now: () => time });
    time = 0;
    expect(await takeAll(budget, ['step', 'step', 'step'])).toEqual([true, true, false]);
  });

  it('is one for all processes of a place, at most a second late [NX-156]', async () => {
    const clock = { time: 0 };
    const now = () => clock.time;
    const world = createMemorySharedUse({ now });
    const start = () =>
      createEditBudget({ capacity: 4, reserve: 0, refillMs: 10_000, now, shared: world.join() });
    const [one, two] = [start(), start()];
    expect(await takeAll(one, ['step', 'step', 'step'])).toEqual([true, true, true]);
    clock.time = 1_000;
    // Told with the next question of its own; in a process that asks nothing, by a timer.
    expect(await takeAll(one, ['phase', 'phase'])).toEqual([true, false]);
    clock.time = 2_000;
    await takeAll(one, ['phase']);
    expect(await takeAll(two, ['phase'])).toEqual([false]);
    clock.time = 11_000;
    await takeAll(one, ['phase', 'phase']);
    clock.time = 12_000;
    expect(await takeAll(one, ['phase'])).toEqual([false]);
    expect(await takeAll(two, ['phase'])).toEqual([false]);
  });
});
