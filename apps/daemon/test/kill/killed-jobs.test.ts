// @module-tag release
import { describe, expect, it } from 'vitest';
import { forgesToTry, sampleOf } from '../support/samples.ts';
import { runKilledJobs } from './killed-jobs.ts';

/** Jobs that are killed on each platform: 50 before a release. */
const [wanted = 0] = sampleOf([50, 6], (count) => count === 6);

/** Most jobs of one issue that are killed: a run whose process crashes three times in a row without completing a step is given up. */
const killsOfOne = 2;

describe.each(forgesToTry('github'))('jobs on %s that are killed at random points', (forge) => {
  it('lose no comment, deliver none twice and repeat nothing that they did', {
    timeout: 3_600_000,
  }, async () => {
    let killed = 0;
    for (let seed = 1; killed < wanted; seed += 1) {
      const kills = Math.min(killsOfOne, wanted - killed);
      const done = await runKilledJobs({ forge, kills, draw: createDraw(seed) });
      expect(done.findings, `seed ${seed}\n${done.trace}`).toEqual([]);
      killed += done.killed;
    }
    expect(killed).toBe(wanted);
  });
});

/** The generator mulberry32: the same numbers for the same seed. */
function createDraw(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return 1 + (((mixed ^ (mixed >>> 14)) >>> 0) % most);
  };
}
