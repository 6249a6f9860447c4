// @module-tag full
import { describe, expect, it } from 'vitest';
import { runPlantApart } from './run-plants.ts';

// A sample, one of each kind: `npm run test:kill -- plants` plays all of them.
describe('the checker of trials', () => {
  it.each(['could-not-ask-is-a-stranger', 'refusal-is-final', 'checks-are-not-compared'])(
    'finds what is planted in the daemon: %s [NX-109]',
    { timeout: 300_000 },
    async (name) => {
      const { broken } = await runPlantApart(name);
      expect(broken).toEqual([]);
    },
  );
});
