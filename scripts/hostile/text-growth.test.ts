import { describe, expect, it } from 'vitest';
import { hostileTexts } from './hostile-texts.ts';
import { measureGrowth } from './measure-growth.ts';
import { textFunctions } from './text-functions.ts';

/** Eight times the text: eight times the time where it is linear, 64 times where it is quadratic. */
const steps = [500, 4_000, 32_000].map((short) => ({ short, long: short * 8, rounds: 1 }));
const mostFactor = 24;
/** Faster than this, nobody is held up, however the time grows. */
const harmlessMs = 40;

function growsTooFast(run: (text: string) => unknown, make: (length: number) => string): boolean {
  return steps.some((step) => {
    // A first look, and others only where something else may have been in the way.
    for (const rounds of [1, 4]) {
      const { longMs, factor } = measureGrowth(run, make, { ...step, rounds });
      if (longMs < harmlessMs || factor < mostFactor) return false;
    }
    return true;
  });
}

describe('functions that read what strangers and models write', () => {
  it.each(Object.entries(textFunctions))(
    '%s takes time in proportion to the text, whatever is in it [NX-15]',
    (_, run) => {
      const slow = hostileTexts.filter(({ make }) => growsTooFast(run, make));
      expect(slow.map(({ name }) => name)).toEqual([]);
    },
    120_000,
  );

  it('would be found out where their time grows with the square of the text [NX-15]', () => {
    const make = (length: number) => 'a'.repeat(length);
    expect(growsTooFast((text) => /\t*a+$/.test(`${text}b`), make)).toBe(true);
    expect(growsTooFast((text) => text.replaceAll('a', 'b'), make)).toBe(false);
  });
});
