import { describe, expect, it } from 'vitest';
import attacks from '../../test/corpus/attacks.json' with { type: 'json' };
import { hiddenBits, hiddenWords } from '../../test/hidden-corpus.ts';
import { toShownText } from '../../test/shown-text.ts';
import { cleanBy, cleanUntrustedText } from './clean-untrusted-text.ts';
import type { RemovalKind } from './edits.ts';
import { findEdits } from './find-edits.ts';

type Clean = (text: string) => string;
const clean: Clean = (text) => cleanUntrustedText(text).text;
const nameOf = ({ group, name }: { readonly group: string; readonly name: string }) => `${group}: ${name}`;

describe('texts with something in them that no page shows', () => {
  it('are judged by a renderer: no word that is hidden is on the page [NX-14]', () => {
    const seen = hiddenWords.filter(({ text, payload }) => toShownText(text).includes(payload));
    expect(seen.map(nameOf)).toEqual([]);
  });

  it('are judged by a renderer: what carries bits looks the same as its twin [NX-14]', () => {
    const different = hiddenBits.filter(({ text, twin }) => toShownText(text) !== toShownText(twin));
    expect(different.map(nameOf)).toEqual([]);
  });

  it('are many, of every kind [NX-14]', () => {
    const all = [...hiddenWords, ...hiddenBits];
    expect(all.length).toBeGreaterThanOrEqual(150);
    expect(new Set(all.map(({ text }) => text)).size).toBe(all.length);
    expect(new Set(all.map(({ group }) => group)).size).toBeGreaterThanOrEqual(12);
  });
});

describe('cleanUntrustedText on what no page shows', () => {
  it('lets no words of it through [NX-14]', () => {
    expect(findPassing(clean).words).toEqual([]);
  });

  it('lets bits through where Markdown can be spelled in two ways, and in no more than one text of twenty [NX-14]', () => {
    const { bits } = findPassing(clean);
    expect(bits.filter((name) => !name.startsWith('spelling'))).toEqual([
      'characters as bits: controls of direction in code',
    ]);
    expect(bits.length / (hiddenWords.length + hiddenBits.length)).toBeLessThanOrEqual(0.05);
  });

  it.each(listRules())('would let something through without its rule for %s [NX-14]', (rule) => {
    const mutant: Clean = (text) =>
      cleanBy((page) => findEdits(page)?.filter(({ kind }) => kind !== rule) ?? null, text).text;
    const { words, bits } = findPassing(mutant);
    const missed = attacks.filter(({ text, hidden }) =>
      hidden.some((payload) => mutant(text).includes(payload)),
    );
    const more = bits.length - findPassing(clean).bits.length;
    expect(words.length + missed.length + more).toBeGreaterThan(0);
  });

  it('leaves of a text that hides something all that is shown [NX-14]', () => {
    const changed = hiddenWords.filter(
      ({ text }) => squeeze(toShownText(clean(text))) !== squeeze(toShownText(text)),
    );
    expect(changed.map(nameOf)).toEqual([]);
  });
});

/** Diagrams are shown by their labels: names are not compared. */
function squeeze(text: string): string {
  return text.replace(/\s+/g, '');
}

function findPassing(by: Clean): { readonly words: readonly string[]; readonly bits: readonly string[] } {
  return {
    words: hiddenWords.filter(({ text, payload }) => by(text).includes(payload)).map(nameOf),
    bits: hiddenBits.filter(({ text, twin }) => by(text) !== by(twin)).map(nameOf),
  };
}

function listRules(): readonly string[] {
  const rules: Readonly<
    Record<Exclude<RemovalKind, 'broken-character' | 'over-limit' | 'knotted-markup'>, true>
  > = {
    'html-comment': true,
    'hidden-attribute': true,
    'hidden-element': true,
    'unknown-tag': true,
    'link-address': true,
    'hidden-label': true,
    'surplus-cell': true,
    'unseen-formula': true,
    'unseen-diagram': true,
    'tiny-text': true,
    'odd-blank': true,
    'link-title': true,
    'image-text': true,
    'unused-definition': true,
    'bidirectional-control': true,
    'zero-width': true,
    'tag-character': true,
    'variation-selector': true,
    'invisible-character': true,
    'control-character': true,
  };
  return Object.keys(rules);
}

describe('the renderer that judges', () => {
  it('sees what a page shows, folded details as well', () => {
    const text =
      '# A\n\n| b |\n|---|\n| c |\n\n<details><summary>d</summary>\n\n`e`\n\n</details>\n\n<sub>f</sub> $g$';
    expect(toShownText(text)).toBe('A b c d e f g');
  });
});
