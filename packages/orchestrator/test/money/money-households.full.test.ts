import { findSharedPostgres } from '@agent/simulators/postgres';
import { expect, it } from 'vitest';
import { drawHouseholds } from './draw-households.ts';
import { judgeHousehold } from './judge-household.ts';

it('households of runs, in files and in a database, pass no limit by more than one call and report what they cost [NX-248]', {
  timeout: 1_200_000,
}, async () => {
  const database = await findSharedPostgres();
  const broken: string[] = [];
  for (const household of drawHouseholds({ count: 4, seed: 2, runs: 4 })) {
    const { name, found } = await judgeHousehold(household, { database });
    broken.push(...found.map((fault) => `${name}: ${fault}`));
  }
  expect(broken).toEqual([]);
});
