import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fairShare } from './fair-share.ts';

it('is the largest share for which all sizes fit together', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1_000), { maxLength: 20 }), fc.nat(5_000), (sizes, room) => {
      const share = fairShare(sizes, room);
      const used = (limit: number) => sizes.reduce((sum, size) => sum + Math.min(size, limit), 0);
      if (share === Number.POSITIVE_INFINITY) expect(used(share)).toBeLessThanOrEqual(room);
      else {
        expect(used(share)).toBeLessThanOrEqual(room + 0.001);
        expect(used(share + 1)).toBeGreaterThan(room);
      }
    }),
  );
  expect(fairShare([10, 100, 100], 110)).toBe(50);
});
