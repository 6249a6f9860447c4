// @module-tag release
import { expect, it } from 'vitest';
import { drawHousehold } from './draw-household.ts';
import { judgeHousehold } from './judge-household.ts';

const timeout = 600_000;

it('whole runs share a limit in files while their process is killed in the middle of a call: what is billed passes it by one call at most, is counted, and is reported by each [NX-248]', {
  timeout,
}, async () => {
  const drawn = drawHousehold(0, { place: 'files', runs: 2 });
  const limits = { run: null, thread: null, person: null, repository: 0.0012, day: null };
  const kills = [{ call: 1, afterMs: 0 }];
  const {
    findings,
    counts = {},
    trace,
  } = await judgeHousehold({
    ...{ ...drawn, limits, kills, isPlanned: false, isFirstDown: false },
    answering: ['answer'],
    outputs: [300],
  });
  expect(findings, trace).toEqual([]);
  expect(counts.kills).toBe(1);
  expect(counts['runs at a limit']).toBeGreaterThan(0);
  expect(counts['calls billed']).toBeGreaterThan(1);
});
