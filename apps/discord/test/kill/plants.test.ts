import { requirePlaces, requireTest } from '@agent/simulators/plants';
import { describe, expect, it } from 'vitest';
import { plants } from './plants.ts';

describe('what is planted in the bot', () => {
  it.each(plants)('$name has its place in the sources [NX-109]', async ({ changes }) => {
    await expect(requirePlaces(changes)).resolves.toBeUndefined();
  });

  it.each(plants)('$name has the test that has to fail with it [NX-115]', async ({ test }) => {
    await expect(requireTest(test)).resolves.toBeUndefined();
  });
});
