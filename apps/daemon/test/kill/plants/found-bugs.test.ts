// @module-tag full
import { playBugApart } from '@agent/simulators/trials';
import { describe, expect, it } from 'vitest';
import { sampleOf } from '../../support/samples.ts';
import { trials } from '../trials.ts';

// One of each kind before a release, otherwise the first: `npm run trial -- kill --plants` plays all of them.
const bugs = ['could-not-ask-is-a-stranger', 'refusal-is-final', 'checks-are-not-compared'];

describe('the judge of the daemon', () => {
  it.each(sampleOf(bugs, (name) => name === bugs[0]))(
    'finds the seeded bug %s [NX-109]',
    { timeout: 300_000, tags: ['release'] },
    async (name) => {
      const { isFound, told } = await playBugApart({ name: 'kill', kind: trials }, name);
      expect(isFound, told).toBe(true);
    },
  );
});
