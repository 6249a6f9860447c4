import { expect, it } from 'vitest';
import { Tally } from './tally.ts';

it('counts the time that a run works, in this process and earlier ones, without its rests [NX-41]', () => {
  let time = 1_000;
  const tally = new Tally(() => time);
  tally.addEarlierMs(500);
  time += 10_000;
  tally.addRest(4_000);
  tally.addRest(1_000);
  expect(tally.statistics().durationMs).toBe(5_500);
  tally.addEarlierMs(200);
  expect(tally.statistics().durationMs).toBe(5_500);
});
