import { expect, it } from 'vitest';
import { measureBatches } from './measure-processor.ts';

it('goes on for as long as a batch wants, and gives the time of one call', async () => {
  let calls = 0;
  const work = () => {
    calls += 1;
    for (let index = 0; index < 200_000; index += 1) Math.sqrt(index);
  };
  const time = await measureBatches(work, { batches: 3, batchMs: 20 });
  expect(time).toBeGreaterThan(0);
  expect(time * calls).toBeGreaterThan(40);
});
