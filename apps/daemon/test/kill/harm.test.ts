// @module-tag release
import { describe, expect, it } from 'vitest';
import { faultClasses } from './faults/classes.ts';
import { planPlanning } from './faults/planning-course.ts';
import { runFaultTrial } from './faults/random-trial.ts';
import { targetedTrials } from './faults/scenarios-by-name.ts';
import { runTargeted } from './faults/targeted.ts';

// A sample: `npm run trial -- kill 500` goes through all classes.
describe.concurrent('a daemon that is harmed keeps its promises', () => {
  it.each([
    ['tree', 3],
    ['net', 3],
    ['refuse', 1],
  ] as const)('by harm of class %s, as seed %i draws it [NX-108]', async (name, seed) => {
    const plan = faultClasses[name];
    if (plan === undefined) throw new Error(`there is no class ${name}`);
    const { findings, trace } = await runFaultTrial(seed, plan);
    expect(findings, trace).toEqual([]);
  });

  it('by death upon death while it plans, as seed 8 draws it [NX-135]', { timeout: 300_000 }, async () => {
    const { findings, trace } = await runFaultTrial(8, planPlanning);
    expect(findings, trace).toEqual([]);
  });

  it.each([['unauthorizedAtDelivery', 'github']] as const)(
    'by the course %s on %s [NX-108]',
    async (name, forge) => {
      const trial = targetedTrials.find((one) => one.targeted.name === name && one.forge === forge);
      if (trial === undefined) throw new Error(`there is no course ${name}`);
      const { findings, trace } = await runTargeted(trial.targeted, forge);
      expect(findings, trace).toEqual([]);
    },
  );
});
