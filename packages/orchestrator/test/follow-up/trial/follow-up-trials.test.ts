// @module-tag release
import { expect, it } from 'vitest';
import { drawTrial } from './draw-trial.ts';
import { judgeTrial } from './judge-trial.ts';
import { trialClasses } from './trial-classes.ts';

it('change requests of five classes are stayed with on both forges, while the wire does harm and processes die [NX-243]', {
  timeout: 2_400_000,
}, async () => {
  const findings: string[] = [];
  // Every third of two rounds of all classes: each takes half a minute. `npm run trial -- follow-up` plays the others.
  for (let seed = 2; seed <= 2 * trialClasses.length; seed += 3) {
    const { told, findings: found } = await judgeTrial(drawTrial(seed));
    findings.push(...found.map((finding) => `${told}: ${finding}`));
  }
  expect(findings).toEqual([]);
});
