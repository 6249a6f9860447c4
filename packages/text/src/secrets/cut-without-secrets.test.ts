import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutWithoutSecrets, longestSecret } from './cut-without-secrets.ts';
import { createKnownSecrets } from './known-secrets.ts';

const secret = 'plum-orchard-lane-9';
const { hide: hideSecrets } = createKnownSecrets([secret]);

/** Everything of a secret that may not be seen. */
const parts = [...secret.slice(7)].map((_, at) => secret.slice(at, at + 8));

const sides = ['start', 'end'] as const;

describe('cutWithoutSecrets', () => {
  it('shows no part of a secret at any place around the cut, on either side [NX-250]', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...sides),
        fc.integer({ min: -30, max: 30 }),
        fc.constantFrom(0, 5, 500, 3 * longestSecret),
        fc.boolean(),
        (keep, offset, behind, twice) => {
          const near = 'x'.repeat(100 + offset);
          const far = `${twice ? secret : ''}${'y'.repeat(behind)}`;
          const text = keep === 'start' ? `${near}${secret}${far}` : `${far}${secret}${near}`;
          const shown = cutWithoutSecrets(text, { hideSecrets, maxChars: 100, keep });
          expect(parts.filter((part) => shown.includes(part))).toEqual([]);
          expect(shown).toHaveLength(Math.min(100, hideSecrets(text).length));
        },
      ),
    );
  });

  it('leaves out what stands next to an earlier cut, also where the rest shrank [NX-250]', () => {
    for (const keep of sides) {
      for (let length = 1; length < secret.length; length += 1) {
        const many = `${secret} `.repeat(1_000);
        const text =
          keep === 'start' ? `${many}${secret.slice(0, length)}` : `${secret.slice(-length)}${many}`;
        const shown = cutWithoutSecrets(text, { hideSecrets, maxChars: 50_000, keep, isTorn: true });
        expect(parts.filter((part) => shown.includes(part))).toEqual([]);
      }
    }
  });

  it('keeps what fits, and cuts no character in two', () => {
    for (const keep of sides) {
      expect(cutWithoutSecrets('a😀b', { hideSecrets, maxChars: 4, keep })).toBe('a😀b');
      expect(cutWithoutSecrets('a😀b', { hideSecrets, maxChars: 2, keep })).toBe(
        keep === 'start' ? 'a' : 'b',
      );
    }
  });

  it('reads a bounded part of a text of any length', () => {
    for (const keep of sides) {
      const read: number[] = [];
      const watch = (text: string) => {
        read.push(text.length);
        return text;
      };
      const text = 'x'.repeat(10_000_000);
      expect(cutWithoutSecrets(text, { hideSecrets: watch, maxChars: 100, keep })).toBe('x'.repeat(100));
      expect(Math.max(...read)).toBeLessThan(40_000);
    }
  });
});
