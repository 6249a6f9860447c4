// @module-tag release
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyTrial, playBare, playKills } from '../../test/agents/agent-kills.ts';

it('has each comment in exactly one message over 200 courses with kills, where a bare adapter loses some', async () => {
  const trials = fc.sample(anyTrial, { numRuns: 200, seed: Number(process.env.FC_SEED ?? 1) });
  const none = { kills: 0, lost: 0, twice: 0 };
  const tally = { comments: 0, ours: { ...none }, bare: { ...none } };
  for (const trial of trials) {
    tally.comments += trial.comments.length;
    for (const [who, play] of [
      ['ours', playKills],
      ['bare', playBare],
    ] as const) {
      const { counts, kills } = await play(trial);
      tally[who].kills += kills;
      tally[who].lost += counts.filter((count) => count === 0).length;
      tally[who].twice += counts.filter((count) => count > 1).length;
    }
  }
  process.stdout.write(`${JSON.stringify(tally)}\n`);
  expect(tally.ours).toMatchObject({ lost: 0, twice: 0 });
  expect(tally.ours.kills).toBeGreaterThan(200);
  expect(tally.bare.lost).toBeGreaterThan(0);
});
