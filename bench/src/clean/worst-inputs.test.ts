import { describe, expect, it } from 'vitest';
import { fill, makeRandomInputs, makeWorstInputs } from './worst-inputs.ts';

describe('worst inputs', () => {
  it('are as long as asked, or nearly', () => {
    for (const { name, text } of [...makeWorstInputs(8_192), ...makeRandomInputs(20, 8_192)]) {
      expect(text.length, name).toBeGreaterThanOrEqual(8_000);
      expect(text.length, name).toBeLessThanOrEqual(8_192);
    }
  });

  it('are the same ones in every run', () => {
    expect(makeRandomInputs(5, 100)).toEqual(makeRandomInputs(5, 100));
    expect(new Set(makeRandomInputs(50, 100).map(({ text }) => text)).size).toBeGreaterThan(40);
  });

  it('repeat their pattern to the end', () => {
    expect(fill('abc', 7)).toBe('abcabca');
  });
});
