import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findOverspent, playSpending, type SpendingTrial } from './lives/play-spending.ts';

const amount = fc.integer({ min: 1, max: 30 }).map((hundreds) => hundreds / 10_000);
const trials: fc.Arbitrary<SpendingTrial> = fc.record({
  run: fc.option(amount),
  day: fc.option(amount),
  steps: fc.tuple(fc.nat(12), fc.nat(12)),
  outputs: fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 8 }),
  deaths: fc.uniqueArray(fc.nat(250), { maxLength: 4 }),
});

/** Two runs in each. */
const numRuns = process.env.TEST_RELEASE === '1' ? 500 : 100;

it('two runs at a time, whose process dies at any moment, pass no limit by more than one call, and each is reported once [NX-194, NX-195, NX-196]', {
  tags: ['release'],
  timeout: 1_200_000,
}, async () => {
  const check = async (trial: SpendingTrial) => {
    expect(findOverspent(trial, await playSpending(trial))).toEqual([]);
  };
  await fc.assert(fc.asyncProperty(trials, check), { numRuns });
});

it('a run ends at its limit with what it has, and says so; what it cost is in its report [NX-196]', async () => {
  const trial = { run: 0.001, day: null, steps: [20, 0], outputs: [300], deaths: [] } as const;
  const left = await playSpending(trial);
  expect(findOverspent(trial, left)).toEqual([]);
  expect(left.billed[0]).toBe(1_200);
  const [[limited = ''] = [], [whole = ''] = []] = left.ends;
  expect(limited).toContain('The run ended at its limit of 0.0010 USD for this run.');
  expect(limited).toContain('- Cost: 0.0012 USD');
  expect(whole).toContain('Counted.');
});

it('a day whose budget is used up ends no run: each waits, says so in one comment without advising /budget, and completes on the next days', async () => {
  const trial = { run: null, day: 0.0005, steps: [3, 0], outputs: [300], deaths: [] } as const;
  const left = await playSpending(trial);
  expect(findOverspent(trial, left)).toEqual([]);
  expect(left.daily.length).toBeGreaterThan(2);
  for (const ends of left.ends) expect(ends).toEqual([expect.stringContaining('Counted.')]);
  const [waits = []] = left.waits;
  expect(waits).toEqual([expect.stringContaining("`/budget` can't change a daily limit")]);
});

it('a call of a process that died counts in full, and the report says what of the cost is presumed [NX-195]', async () => {
  const moments = [10, 20, 30, 40, 50];
  const trials = moments.map((death) => {
    return { run: 0.002, day: null, steps: [4, 4], outputs: [100], deaths: [death] } as const;
  });
  const left = await Promise.all(trials.map(playSpending));
  const presumed = left.filter((one) => one.presumed > 0);
  expect(presumed.length).toBeGreaterThan(0);
  for (const { ends } of presumed)
    expect(ends.flat().join('\n')).toMatch(/\(including an estimated 0\.\d+ USD for interrupted calls\)/);
});

it('goes on where somebody who may steer allows it more, in its thread alone, and nobody else is heard [NX-198]', async () => {
  const trial = { run: 0.001, day: null, steps: [8, 8], outputs: [300], deaths: [] } as const;
  const refused = await playSpending({ ...trial, says: [{ author: 'bob', body: '/budget 1' }] });
  expect(refused.billed).toEqual([1_200, 1_200]);
  const unread = await playSpending({ ...trial, says: [{ author: 'alice', body: '/budget a lot' }] });
  expect(unread.billed).toEqual([1_200, 1_200]);
  const left = await playSpending({ ...trial, says: [{ author: 'alice', body: '/budget 1' }] });
  expect(left.billed[0]).toBeGreaterThan(1_200);
  expect(left.billed[1]).toBe(1_200);
  const [ends = []] = left.ends;
  expect(ends).toHaveLength(2);
  expect(ends[1]).toContain('Counted.');
});

it('tells the model once that most of its money is spent [NX-196]', async () => {
  const trial = { run: 0.001, day: null, steps: [20, 0], outputs: [100], deaths: [] } as const;
  const { prompts } = await playSpending(trial);
  const told = prompts.filter((prompt) => prompt.includes('Four fifths of the money that this run may take'));
  expect(told).toHaveLength(2);
  expect(told[1]?.split('Four fifths of the money')).toHaveLength(2);
});
