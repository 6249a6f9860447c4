import { requirePlaces } from '@agent/simulators/plants';
import { expect, it } from 'vitest';
import { drawTrials } from './draw-trials.ts';
import { judgeTrial } from './judge-trial.ts';
import { followUpPlants } from './plants.ts';
import { trialClasses } from './trial-classes.ts';

/** One on each forge; `npm run test:full` has each class on both, and with harm. */
const sample = 2;

it('change requests of seven classes are stayed with on two forges: here without harm [NX-243]', {
  timeout: 1_200_000,
}, async () => {
  const broken: string[] = [];
  for (const trial of drawTrials({ count: trialClasses.length, seed: 1, calm: true }).slice(0, sample)) {
    const { name, found } = await judgeTrial(trial);
    broken.push(...found.map((fault) => `${name}: ${fault}`));
  }
  expect(broken).toEqual([]);
});

it('what is planted to try the checker has its place in the sources [NX-243]', async () => {
  for (const { changes } of followUpPlants) await requirePlaces(changes);
});
