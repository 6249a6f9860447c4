import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { changeSource } from '../../../../../scripts/test/plant.ts';
import { repositoryRoot } from '../../../../../scripts/workspace/root.ts';
import { targetedTrials } from '../faults/scenarios-by-name.ts';
import { plants } from './plants.ts';

describe('what is planted in the daemon', () => {
  it.each(plants)('$name has its place in the sources, and a course [NX-109]', (plant) => {
    for (const change of plant.changes) {
      const source = readFileSync(`${repositoryRoot}/${change.file}`, 'utf8');
      expect(changeSource(source, change)).not.toBe(source);
    }
    const { course, forge = 'github' } = plant;
    const courses = targetedTrials.map((trial) => `${trial.targeted.name} on ${trial.forge}`);
    expect(courses).toContain(`${course} on ${forge}`);
  });
});
