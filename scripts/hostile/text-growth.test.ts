import { describe, expect, it } from 'vitest';
import { hostileTexts } from './hostile-texts.ts';
import { leastMs, measureFastest } from './measure-fastest.ts';
import { textFunctions } from './text-functions.ts';

/** UTF-16 units. The last is half the longest comment of a platform, and four times it in `npm run test:release`. */
const lengths = [500, 4_000, 32_000, ...(process.env.TEST_RELEASE === '1' ? [256_000] : [])];
/** So many times more than in proportion is too much: eight times the text takes 64 times as long where it is quadratic. */
const mostFactor = 3;
/** Faster than this, nobody is held up, however the time grows. */
const harmlessMs = 40;

type Run = (text: string) => unknown;
type Make = (length: number) => string;

interface Measured {
  readonly text: string;
  /** Processor time, milliseconds. */
  readonly ms: number;
}

async function growsTooFast(run: Run, make: Make): Promise<boolean> {
  let short = { text: '', ms: Number.POSITIVE_INFINITY };
  for (const length of lengths) {
    const text = make(length);
    const long = { text, ms: await measureFastest(run, { text, rounds: 1, repeats: 1 }) };
    if (isTooMuch(short, long) && (await growsTooFastAgain(run, [short.text, text]))) return true;
    short = long;
  }
  return false;
}

/** Measures again where something else, or the steps of the clock, may have been in the way. */
async function growsTooFastAgain(run: Run, [short, long]: readonly [string, string]): Promise<boolean> {
  const shortMs = await measureFastest(run, { text: short, rounds: 2, repeats: 16 });
  const longMs = await measureFastest(run, { text: long, rounds: 4, repeats: 1 });
  return isTooMuch({ text: short, ms: shortMs }, { text: long, ms: longMs });
}

function isTooMuch(short: Measured, long: Measured): boolean {
  const times = long.text.length / short.text.length;
  return long.ms >= harmlessMs && long.ms / Math.max(short.ms, leastMs / times) >= mostFactor * times;
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

  it('would be found out where their time grows with the square of the text [NX-15]', {
    tags: ['full'],
  }, async () => {
    // Half a second for the longest is slow enough to be found on any machine.
    const make = (length: number) => 'a'.repeat(length / 2);
    expect(await growsTooFast((text) => /\t*a+$/.test(`${text}b`), make)).toBe(true);
    expect(await growsTooFast((text) => text.replaceAll('a', 'b'), make)).toBe(false);
  });
});
