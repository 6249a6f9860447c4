import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitStart, fitToolOutput } from './model-text.ts';

const anyText = fc.string({ unit: 'grapheme', maxLength: 600 });

describe('fitToolOutput', () => {
  it('never exceeds the limit, never breaks a character, and leaves short texts alone', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 100, max: 700 }), (text, maxChars) => {
        const fitted = fitToolOutput(text, { maxChars });
        expect(fitted.length).toBeLessThanOrEqual(maxChars);
        expect(isWellFormed(fitted)).toBe(isWellFormed(text));
        if (text.length <= maxChars) expect(fitted).toBe(text);
      }),
    );
  });
});

describe('fitStart', () => {
  it('never exceeds the limit and never breaks a character', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 50 }), (text, maxChars) => {
        const fitted = fitStart(text, { maxChars });
        expect(fitted.length).toBeLessThanOrEqual(maxChars);
        expect(isWellFormed(fitted)).toBe(isWellFormed(text));
      }),
    );
  });
});

/** Half a character cannot be encoded. */
function isWellFormed(text: string): boolean {
  return Buffer.from(text, 'utf8').toString('utf8') === text;
}
