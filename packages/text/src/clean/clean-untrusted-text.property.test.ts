// @module-tag full
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readWords } from '../../test/read-words.ts';
import { cleanUntrustedText } from './clean-untrusted-text.ts';
import { applyEdits, createRemovalLog } from './edits.ts';
import { findEdits } from './find-edits.ts';
import { toPage } from './page.ts';

/** Pieces of Markdown in a row; every `@` becomes a word of its own, so that each can be looked for. */
function markdownOf(...pieces: readonly string[]): fc.Arbitrary<string> {
  return fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((chosen) => {
    let count = 0;
    return chosen.join('').replace(/@/g, () => {
      count += 1;
      return `w${count}z`;
    });
  });
}

const blocks = [
  '\n',
  '\n',
  '\n\n',
  '> ',
  '- ',
  '1. ',
  '2) ',
  '    ',
  '  ',
  '\t',
  '# ',
  '===',
  '---',
  '***',
  '\r\n',
  ' ',
];
const fences = ['```', '~~~', '````', '```@ @\n', '\n```\n', '~~~ @\n'];
const words = ['@', '@', '@ @', ' @ '];
const comments = [
  '<!-- @ -->',
  '<!--@\n@-->',
  '<!-->',
  '<!-- @ -- @ -->',
  '<? @ ?>',
  '<!DOCTYPE @>',
  '<![CDATA[@]]>',
];
const openComments = ['<!--', '-->', '<!', '--', '<?', '?>', '\\', '\\<!-- @ -->'];
const tags = [
  '<b>',
  '</b>',
  '<i title="@">',
  '<div>',
  '</div>',
  '<div title="@">',
  '<a href="@" data-x="@ @">',
  '<pre>',
  '</pre>',
];
const links = [
  '[@](@)',
  '[@](@ "@ @")',
  '![@ @](@)',
  '![@](@)',
  '![[@](@) @](@)',
  '[@]: @\n',
  '[r]: @ "@"\n',
  '[r]',
  '[@][r]',
  '![@ @][r]',
];
const looseLinks = ['[', ']', '![', '](', ')', '(', '"', "'", '<', '>', ']:'];
const ticks = ['`', '``', '`@`', '`` @ ` @ ``', '`<!-- @ -->`', '`[@](@ "@")`', '`<i title="@">`'];

function expectShown(text: string): void {
  const { shown, hidden, code } = readWords(text);
  const left = new Set(findWords(cleanUntrustedText(text).text));
  expect(
    [...hidden].filter((word) => left.has(word)),
    'not shown, but kept',
  ).toEqual([]);
  // What becomes hidden by taking out what is hidden is taken out, too: only the first look keeps all that is shown.
  const cleaned = applyEdits(text, findEdits(toPage(text)) ?? [], createRemovalLog());
  const kept = new Set(findWords(cleaned));
  expect(
    [...shown].filter((word) => !kept.has(word)),
    'shown, but gone',
  ).toEqual([]);
  const squeezed = squeeze(cleaned);
  let reached = 0;
  for (const literal of code.map(squeeze)) {
    const found = squeezed.indexOf(literal, reached);
    expect(found, `code "${literal}" in "${squeezed}"`).toBeGreaterThanOrEqual(reached);
    reached = found + literal.length;
  }
}

function findWords(text: string): readonly string[] {
  return text.match(/w\d+z/g) ?? [];
}

/** Without what the lines of quotes have between them. */
function squeeze(text: string): string {
  return text.replace(/[\s>]+/g, '');
}

const runs = { numRuns: 4_000 };

describe('cleanUntrustedText beside a parser of CommonMark', () => {
  it('keeps every word that is shown and code as it is, and no word of a comment, across all blocks [NX-5]', () => {
    fc.assert(
      fc.property(markdownOf(...blocks, ...fences, ...words, ...comments, ...openComments), expectShown),
      runs,
    );
  });

  it('agrees on what is code between backticks [NX-5]', () => {
    fc.assert(
      fc.property(markdownOf(...words, ...ticks, ...comments, '\n', '\n\n', '> ', '\\', ' '), expectShown),
      runs,
    );
  });

  it('agrees on what is a tag, and takes out titles and data [NX-5]', () => {
    fc.assert(
      fc.property(markdownOf(...words, ...tags, ...comments, ...blocks, ...fences), expectShown),
      runs,
    );
  });

  it('agrees on links, images and definitions, and takes out titles, texts of images and unused definitions [NX-5]', () => {
    fc.assert(
      fc.property(
        markdownOf(...words, ...links, ...looseLinks, '\n', '\n\n', '> ', '- ', '\\', ' '),
        expectShown,
      ),
      runs,
    );
  });

  it('changes nothing when applied again, and reports whatever it changes, for any text [NX-5]', () => {
    const wild = markdownOf(
      ...blocks,
      ...fences,
      ...words,
      ...comments,
      ...openComments,
      ...tags,
      ...links,
      ...looseLinks,
      ...ticks,
      '[^@]: @\n',
      '[^@]',
      '|',
      '|-|-|\n',
      '&zwj;',
      '&#x200b;',
      '\u202e',
      '\u200b',
      '\u200d',
      '👩',
      '\ufe0f',
      '\u{e0041}',
      'م',
      '<span hidden>',
      '</span>',
      '<script>',
      '</script>',
      '<p style="display:none',
      '"',
      '\ud83d',
      '\u0000',
      '<w-x-y-z>',
    );
    fc.assert(
      fc.property(
        fc.oneof(wild, fc.string({ unit: 'binary' })),
        fc.integer({ min: 0, max: 400 }),
        (text, maxChars) => {
          const once = cleanUntrustedText(text, { maxChars });
          expect(once.removed.length > 0).toBe(once.text !== text);
          expect(once.text.length).toBeLessThanOrEqual(maxChars);
          expect(cleanUntrustedText(once.text, { maxChars })).toEqual({ text: once.text, removed: [] });
        },
      ),
      { numRuns: 6_000 },
    );
  });
});
