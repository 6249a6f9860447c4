import { requirePlaces, requireTest } from '@agent/simulators/trials';
import { describe, expect, it } from 'vitest';
import { botBugs } from './bot-bugs.ts';

describe('a bug seeded into the bot', () => {
  it.each(botBugs)('$name has its place in the sources [NX-109]', async ({ changes }) => {
    await expect(requirePlaces(changes)).resolves.toBeUndefined();
  });

  it.each(botBugs)('$name has the test that has to fail with it [NX-115]', async ({ test }) => {
    await expect(requireTest(test)).resolves.toBeUndefined();
  });
});
