import { requirePlaces } from '@agent/simulators/plants';
import { describe, expect, it } from 'vitest';
import { plants } from './plants.ts';

describe('what is planted in the bot', () => {
  it.each(plants)('$name has its place in the sources [NX-109]', async ({ changes }) => {
    await expect(requirePlaces(changes)).resolves.toBeUndefined();
  });
});
