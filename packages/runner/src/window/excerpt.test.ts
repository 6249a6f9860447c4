import { estimateTokens, wrapToolOutput, wrapUntrustedText } from '@agent/text';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinRows, shorten, storable, toRows } from './excerpt.ts';

const nonce = '5f0c2c1e-3d0a-4f7e-9a53-1f1f3f1a2b3c';
const note = ({ from, to }: { readonly from: number; readonly to: number }) => `[Lines ${from} to ${to}.]`;
const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`).join('\n');

/** Author of each text by the envelope around it; throws for lines that begin or end an envelope out of turn. */
function readEnvelopes(text: string): Map<string, string> {
  const authors = new Map<string, string>();
  let author: string | null = null;
  for (const line of text.split('\n')) {
    const begins = /^={5} BEGIN TEXT \S+ \| author: (@\w+)/.exec(line);
    const ends = line.startsWith('===== END TEXT');
    if ((begins !== null && author !== null) || (ends && author === null))
      throw new Error(`out of turn: ${line}`);
    if (begins !== null) author = begins[1] ?? null;
    else if (ends) author = null;
    else for (const [word] of line.matchAll(/(?:mine|theirs)-\d+/g)) authors.set(word, author ?? 'nobody');
  }
  if (author !== null) throw new Error('not closed');
  return authors;
}

describe('shorten', () => {
  it('keeps the beginning and the end, and says which lines are missing', () => {
    expect(shorten(lines(100), { maxTokens: 80, count: (text) => text.length, note })).toMatchInlineSnapshot(`
      "line 1
      line 2
      line 3
      line 4
      [Lines 5 to 97.]
      line 98
      line 99
      line 100"
    `);
  });

  it('never exceeds its size if the note fits, and leaves short texts unchanged', () => {
    const anyText = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 2_000 }),
      fc.array(fc.string({ maxLength: 60 }), { maxLength: 60 }).map((parts) => parts.join('\n')),
      fc.constantFrom('字', '0', 'x y ').map((unit) => unit.repeat(5_000)),
    );
    const anySize = fc.integer({ min: 40, max: 900 });
    fc.assert(
      fc.property(anyText, anySize, fc.constantFrom('both', 'start'), (text, maxTokens, keep) => {
        const shown = shorten(text, { maxTokens, count: estimateTokens, note, keep });
        expect(estimateTokens(shown)).toBeLessThanOrEqual(maxTokens);
        expect(shown.isWellFormed()).toBe(text.isWellFormed());
        if (estimateTokens(text) <= maxTokens) expect(shown).toBe(text);
        else expect(shown).toMatch(/\[Lines \d+ to \d+\.\]/);
      }),
    );
  });

  it('never moves text out of its envelope or into that of another author', () => {
    const anyComments = fc.array(
      fc.record({ author: fc.constantFrom('mine', 'theirs'), count: fc.integer({ min: 1, max: 40 }) }),
      { minLength: 1, maxLength: 6 },
    );
    fc.assert(
      fc.property(anyComments, fc.integer({ min: 30, max: 1_500 }), (comments, maxTokens) => {
        const text = comments
          .map(({ author, count }) => {
            const body = Array.from({ length: count }, (_, index) => `${author}-${index}`).join('\n');
            const authority = author === 'mine' ? 'trusted' : 'untrusted';
            return wrapUntrustedText(body, { author, authority, nonce });
          })
          .join('\n\n');
        const shown = shorten(text, { maxTokens, count: estimateTokens, note });
        for (const [word, author] of readEnvelopes(shown)) expect(`@${word.split('-')[0]}`).toBe(author);
      }),
    );
  });

  it('puts its note outside of the envelope of a tool', () => {
    const text = wrapToolOutput(lines(500), { tool: 'run_command', nonce });
    const shown = shorten(text, { maxTokens: 400, count: estimateTokens, note }).split('\n');
    const at = shown.findIndex((line) => line.startsWith('[Lines'));
    expect([shown[at - 1], shown[at + 1]?.slice(0, 17)]).toEqual([
      `===== END TEXT ${nonce} =====`,
      '===== BEGIN TEXT ',
    ]);
  });
});

describe('storable', () => {
  it('has at most so many characters, of whole code points', () => {
    const anyText = fc.string({ unit: 'grapheme', maxLength: 600 });
    fc.assert(
      fc.property(anyText, fc.integer({ min: 200, max: 700 }), (text, maxChars) => {
        const stored = storable(text, { maxChars });
        expect(stored.length).toBeLessThanOrEqual(maxChars);
        expect(stored.isWellFormed()).toBe(text.isWellFormed());
        if (text.length <= maxChars) expect(stored).toBe(text);
      }),
    );
  });
});

describe('toRows', () => {
  it('splits long lines, and joins them again to the same text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 2_000 }), (text) => {
        const rows = toRows(text);
        expect(joinRows(rows)).toBe(text);
        expect(rows.every((row) => row.text.length <= 500)).toBe(true);
      }),
    );
  });
});
