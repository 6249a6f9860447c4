import { requirePlaces } from '@agent/simulators/plants';
import { it } from 'vitest';
import { moneyPlants } from './plants.ts';

it('what is planted to try the checker has its place in the sources [NX-248]', async () => {
  for (const { changes } of moneyPlants) await requirePlaces(changes);
});
