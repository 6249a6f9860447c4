import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyTrial, playBare, playKills } from '../../test/agents/agent-kills.ts';

describe('an agent that is killed at any moment, as is the process of its run', () => {
  it('has each comment in exactly one message of its conversation in the end [NX-273]', {
    tags: ['full'],
  }, async () => {
    await fc.assert(
      fc.asyncProperty(anyTrial, async (trial) => {
        const { counts, status, sessions } = await playKills(trial);
        expect({ counts, status }).toEqual({ counts: trial.comments.map(() => 1), status: 'completed' });
        expect(sessions).toBeGreaterThan(0);
      }),
      { numRuns: 25 },
    );
  });

  it('loses comments with an adapter that takes the word of the agent: the trial can see it [NX-273]', async () => {
    const trials = fc.sample(anyTrial, { numRuns: 40, seed: 7 });
    const judged = [];
    for (const trial of trials) judged.push(await playBare(trial));
    expect(judged.flatMap(({ counts }) => counts).filter((count) => count !== 1).length).toBeGreaterThan(0);
  });
});
