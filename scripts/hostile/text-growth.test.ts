import { describe, expect, it } from 'vitest';
import { hostileTexts } from './hostile-texts.ts';
import { measureGrowth } from './measure-growth.ts';
import { textFunctions } from './text-functions.ts';

/** Eight times the text: eight times the time where it is linear, 64 times where it is quadratic. */
const steps = [500, 4_000, 32_000].map((short) => ({ short, long: short * 8, rounds: 1 }));
const mostFactor = 24;
/** Faster than this, nobody is held up, however the time grows. */
const harmlessMs = 40;

type Run = (text: string) => unknown;
type Make = (length: number) => string;

async function growsTooFast(run: Run, make: Make): Promise<boolean> {
  for (const step of steps) if (await growsTooFastFrom(step, run, make)) return true;
  return false;
}

async function growsTooFastFrom(step: (typeof steps)[number], run: Run, make: Make): Promise<boolean> {
  // A first look, and others only where something else may have been in the way.
  for (const rounds of [1, 4]) {
    const { longMs, factor } = await measureGrowth(run, make, { ...step, rounds });
    if (longMs < harmlessMs || factor < mostFactor) return false;
  }
  return true;
}

describe('functions that read what strangers and models write', () => {
  it.each(Object.entries(textFunctions))(
    '%s takes time in proportion to the text, whatever is in it [NX-15]',
    async (_, run) => {
      const slow: string[] = [];
      for (const { name, make } of hostileTexts) if (await growsTooFast(run, make)) slow.push(name);
      expect(slow).toEqual([]);
    },
    120_000,
  );

  it('would be found out where their time grows with the square of the text [NX-15]', async () => {
    const make = (length: number) => 'a'.repeat(length);
    expect(await growsTooFast((text) => /\t*a+$/.test(`${text}b`), make)).toBe(true);
    expect(await growsTooFast((text) => text.replaceAll('a', 'b'), make)).toBe(false);
  });
});
