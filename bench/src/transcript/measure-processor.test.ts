import { expect, it } from 'vitest';
import { measureBatches } from './measure-processor.ts';

it('goes on for as long as a batch wants, leaves the first one out, and gives the time of one call', async () => {
  const callsOfBatches: number[] = [];
  let calls = 0;
  let batch = 0;
  const measure = async (work: () => unknown) => {
    const before = calls;
    await work();
    // The first batch is slow, as where nothing is compiled yet.
    const time = (calls - before) * (batch === 0 ? 100 : 3);
    callsOfBatches[batch] = (callsOfBatches[batch] ?? 0) + calls - before;
    if ((callsOfBatches[batch] ?? 0) * (batch === 0 ? 100 : 3) >= 20) batch += 1;
    return time;
  };
  const time = await measureBatches(() => (calls += 1), { batches: 3, batchMs: 20, measure });
  expect(time).toBe(3);
  expect(callsOfBatches).toEqual([1, 8, 8, 8]);
});
