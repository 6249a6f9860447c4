// @module-tag release
import { expect, it } from 'vitest';
import { drawHouseholds } from './draw-households.ts';
import { judgeHousehold } from './judge-household.ts';

const timeout = 600_000;

it('whole runs share a limit in files while their process is killed in the middle of a call: what is billed passes it by one call at most, is counted, and is reported by each [NX-248]', {
  timeout,
}, async () => {
  const [drawn] = drawHouseholds({ count: 1, seed: 1, place: 'files', runs: 2 });
  if (drawn === undefined) throw new Error('nothing was drawn');
  const limits = { run: null, thread: null, person: null, repository: 0.0012, day: null };
  const kills = [{ call: 1, afterMs: 0 }];
  const { found, killed, limited, calls } = await judgeHousehold({
    ...{ ...drawn, limits, kills, isPlanned: false, isFirstDown: false },
    answering: ['answer'],
    outputs: [300],
  });
  expect(found).toEqual([]);
  expect(killed).toBe(1);
  expect(limited).toBeGreaterThan(0);
  expect(calls).toBeGreaterThan(1);
});
