import { requirePlaces } from '@agent/simulators/plants';
import { it } from 'vitest';
import { followUpPlants } from './plants.ts';

it('what is planted to try the checker of the trials has its place in the sources [NX-243]', async () => {
  for (const { changes } of followUpPlants) await requirePlaces(changes);
});
