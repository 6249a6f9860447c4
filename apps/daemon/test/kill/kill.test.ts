// @module-tag full
import { describe, expect, it } from 'vitest';
import { targetedTrials } from './faults/scenarios-by-name.ts';
import { runTargeted } from './faults/targeted.ts';
import { knownMoments } from './known-moments.ts';
import { runTrial } from './trial.ts';

// As short as it may be: `harm.test.ts` has a sample of all harm, `npm run trial -- kill 500` goes through all classes.
describe('a daemon killed and started again ends as if nothing had been', () => {
  it.each([
    'between final summary and outcome, before and after it is put into the index, and before it is moved',
  ])('%s [CI-36, CI-66, RL-9, RL-14]', async (name) => {
    const known = knownMoments.find((one) => one.name === name);
    if (known === undefined) throw new Error(`no moments are known as "${name}"`);
    const { done, findings, trace } = await runTrial(known.scenario, known.interruptions);
    expect(findings, trace).toEqual([]);
    expect(done.map(({ interruption }) => interruption)).toEqual(known.interruptions);
  });

  it('while an action of its plan is under way [NX-135]', { tags: ['release'] }, async () => {
    const trial = targetedTrials.find(({ targeted }) => targeted.name === 'killedInAction');
    if (trial === undefined) throw new Error('there is no course killedInAction');
    const { findings, trace } = await runTargeted(trial.targeted, trial.forge);
    expect(findings, trace).toEqual([]);
  });
});
