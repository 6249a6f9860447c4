import { requirePlaces } from '@agent/simulators/trials';
import { it } from 'vitest';
import { moneyBugs } from './money-bugs.ts';

it('each bug seeded to test the judge has its place in the sources [NX-248]', async () => {
  for (const { changes } of moneyBugs) await requirePlaces(changes);
});
