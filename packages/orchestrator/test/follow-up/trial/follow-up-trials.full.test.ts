import { expect, it } from 'vitest';
import { drawTrials } from './draw-trials.ts';
import { judgeTrial } from './judge-trial.ts';
import { trialClasses } from './trial-classes.ts';

it('change requests of each class are stayed with on both forges, while the wire does harm and processes die [NX-243]', {
  timeout: 2_400_000,
}, async () => {
  const broken: string[] = [];
  for (const trial of drawTrials({ count: 2 * trialClasses.length, seed: 1 })) {
    const { name, found } = await judgeTrial(trial);
    broken.push(...found.map((fault) => `${name}: ${fault}`));
  }
  expect(broken).toEqual([]);
});
