// @module-tag release
import { fileURLToPath } from 'node:url';
import { runPlanted } from '@agent/simulators/plants';
import { describe, expect, it } from 'vitest';
import { followUpPlants } from './plants.ts';

const main = fileURLToPath(new URL('main.ts', import.meta.url));
const timeout = 1_200_000;

describe('the checker of the trials finds', () => {
  it.each(followUpPlants)('what is planted: $name', { timeout }, async ({ changes, trial, says }) => {
    expect(await runPlanted(main, { changes, args: ['28', '--calm', '--only', `${trial}`] })).toMatch(says);
  });
});
