// @module-tag full
import { describe, expect, it } from 'vitest';
import { sampleOf } from '../../support/samples.ts';
import { runPlantApart } from './run-plants.ts';

// One of each kind before a release, otherwise the first: `npm run test:kill -- plants` plays all of them.
const plants = ['could-not-ask-is-a-stranger', 'refusal-is-final', 'checks-are-not-compared'];

describe('the checker of trials', () => {
  it.each(sampleOf(plants, (name) => name === plants[0]))(
    'finds what is planted in the daemon: %s [NX-109]',
    { timeout: 300_000 },
    async (name) => {
      const { broken } = await runPlantApart(name);
      expect(broken).toEqual([]);
    },
  );
});
