import { requirePlaces, requireTest } from '@agent/simulators/trials';
import { describe, expect, it } from 'vitest';
import { daemonBugs } from './daemon-bugs.ts';

describe('a bug seeded into the daemon', () => {
  it.each(daemonBugs)('$name has its place in the sources, and a course [NX-109]', async (bug) => {
    await requirePlaces(bug.changes);
    expect(bug.trials().length).toBeGreaterThan(0);
  });

  it.each(daemonBugs)('$name has the test that has to fail with it [NX-115]', async ({ test }) => {
    await expect(requireTest(test)).resolves.toBeUndefined();
  });
});
