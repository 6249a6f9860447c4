// @module-tag release
import { fileURLToPath } from 'node:url';
import { runPlanted } from '@agent/simulators/plants';
import { describe, expect, it } from 'vitest';
import { runsInHousehold } from './draw-households.ts';
import { moneyPlants } from './plants.ts';

const main = fileURLToPath(new URL('main.ts', import.meta.url));
const timeout = 1_200_000;

describe('the checker of the households finds', () => {
  it.each(moneyPlants)('what is planted: $name', { timeout }, async ({ changes, only, place, says }) => {
    const runs = `${(only + 1) * runsInHousehold}`;
    const args = [runs, '--place', place, '--only', `${only}`];
    expect(await runPlanted(main, { changes, args })).toMatch(says);
  });
});
