import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyTrial, playBare, playKills } from '../../test/agents/agent-kills.ts';

it('has each comment in exactly one message over 200 courses with kills, where a bare adapter loses some', async () => {
  const trials = fc.sample(anyTrial, { numRuns: 200, seed: Number(process.env.FC_SEED ?? 1) });
  const tally = { comments: 0, kills: 0, ours: { lost: 0, twice: 0 }, bare: { lost: 0, twice: 0 } };
  for (const trial of trials) {
    tally.comments += trial.comments.length;
    tally.kills += trial.deaths.length + trial.crashes.length;
    for (const [who, play] of [
      ['ours', playKills],
      ['bare', playBare],
    ] as const) {
      const { counts } = await play(trial);
      tally[who].lost += counts.filter((count) => count === 0).length;
      tally[who].twice += counts.filter((count) => count > 1).length;
    }
  }
  process.stdout.write(`${JSON.stringify(tally)}\n`);
  expect(tally.ours).toEqual({ lost: 0, twice: 0 });
  expect(tally.bare.lost).toBeGreaterThan(0);
});
