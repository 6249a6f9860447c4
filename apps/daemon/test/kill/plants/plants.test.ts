import { requirePlaces, requireTest } from '@agent/simulators/plants';
import { describe, expect, it } from 'vitest';
import { targetedTrials } from '../faults/scenarios-by-name.ts';
import { plants } from './plants.ts';

describe('what is planted in the daemon', () => {
  it.each(plants)('$name has its place in the sources, and a course [NX-109]', async (plant) => {
    await requirePlaces(plant.changes);
    const { course, forge = 'github' } = plant;
    const courses = targetedTrials.map((trial) => `${trial.targeted.name} on ${trial.forge}`);
    expect(courses).toContain(`${course} on ${forge}`);
  });

  it.each(plants)('$name has the test that has to fail with it [NX-115]', async ({ test }) => {
    await expect(requireTest(test)).resolves.toBeUndefined();
  });
});
