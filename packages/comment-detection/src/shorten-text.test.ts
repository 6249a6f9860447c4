import { truncationMark } from '@agent/text';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shortenText } from './shown-body.ts';

describe('shortenText', () => {
  it('leaves alone what fits, and marks what it cut [CD-48]', () => {
    expect(shortenText('hello', 5)).toBe('hello');
    expect(shortenText('hello world', 6)).toBe('hello…(truncated)');
  });

  it('never cuts inside a character as people see it [CD-48]', () => {
    const family = '👩‍👩‍👧‍👦';
    expect(shortenText(`ab${family}cd`, 6)).toBe(`ab${truncationMark}`);
    expect(shortenText(`${'x'.repeat(300)}が`.normalize('NFD') + 'yyy', 301)).toBe(
      `${'x'.repeat(300)}${truncationMark}`,
    );
  });

  it('keeps to the limit and to whole code points, whatever the text [CD-48]', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 400 }),
        fc.integer({ min: 1, max: 400 }),
        (text, max) => {
          const short = shortenText(text, max);
          expect(short.isWellFormed()).toBe(text.isWellFormed());
          expect(short.length).toBeLessThanOrEqual(
            Math.max(text.length > max ? max + truncationMark.length : max, 0),
          );
        },
      ),
    );
  });

  it('cuts a cluster that never ends', () => {
    const endless = `a${'\u0301'.repeat(5000)}`;
    expect(shortenText(endless, 2000)).toHaveLength(2000 + truncationMark.length);
  });
});
