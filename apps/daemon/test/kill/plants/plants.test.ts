import { readFile } from 'node:fs/promises';
import { requirePlaces } from '@agent/simulators/plants';
import { describe, expect, it } from 'vitest';
import { targetedTrials } from '../faults/scenarios-by-name.ts';
import { plants } from './plants.ts';

const named = plants.flatMap(({ name: plant, test }) => (test === undefined ? [] : [{ plant, ...test }]));

describe('what is planted in the daemon', () => {
  it.each(plants)('$name has its place in the sources, and a course [NX-109]', async (plant) => {
    await requirePlaces(plant.changes);
    const { course, forge = 'github' } = plant;
    const courses = targetedTrials.map((trial) => `${trial.targeted.name} on ${trial.forge}`);
    expect(courses).toContain(`${course} on ${forge}`);
  });

  it.each(named)('$plant has the test that has to fail with it [NX-115]', async ({ path, name }) => {
    const source = await readFile(new URL(`../../../../../${path}`, import.meta.url), 'utf8');
    expect(source).toContain(name);
  });
});
