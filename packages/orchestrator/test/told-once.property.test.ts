// @module-tag release
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findBroken } from './lives/find-broken.ts';
import { acts, playLives } from './lives/play-lives.ts';

const moment = fc.nat({ max: 95 });
const happening = fc.tuple(moment, fc.constantFrom(...acts.filter((act) => act !== 'die')));
const trial = fc
  .tuple(
    fc.tuple(moment, fc.constantFrom('alice' as const, 'bob' as const)),
    fc.array(happening, { maxLength: 4 }),
    // After a third death in a row without a step a run is given up.
    fc.array(fc.tuple(moment, fc.constant('die' as const)), { maxLength: 2 }),
  )
  .map(([said, happened, died]) => [said, ...happened, ...died]);

it('each comment is told once or reported once, whatever people, processes and platforms do [NX-160]', {
  timeout: 1_200_000,
}, async () => {
  const { FC_RUNS: numRuns = '60' } = process.env;
  await fc.assert(
    fc.asyncProperty(trial, async (happenings) => {
      expect(findBroken(await playLives(happenings))).toEqual([]);
    }),
    {
      numRuns: Number(numRuns),
      // Told while nobody could say whether its author may steer, which is known by the last poll.
      examples: [
        [
          [
            [0, 'bob'],
            [6, 'cut'],
          ],
        ],
      ],
    },
  );
});
