import { requirePlaces } from '@agent/simulators/trials';
import { it } from 'vitest';
import { followUpBugs } from './follow-up-bugs.ts';

it('each bug seeded to test the judge of the trials has its place in the sources [NX-243]', async () => {
  for (const { changes } of followUpBugs) await requirePlaces(changes);
});
