import { estimateTokens } from '@agent/text';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitComments, toFirstLine } from './fit-comments.ts';

interface Said {
  readonly id: number;
  readonly text: string;
  readonly trusted: boolean;
}

const textOf = ({ text }: Said) => text;
const isTrusted = ({ trusted }: Said) => trusted;
const say = (count: number, text: (id: number) => string, trusted = true): Said[] =>
  Array.from({ length: count }, (_, index) => ({ id: index + 1, text: text(index + 1), trusted }));

const thread = fc
  .array(fc.record({ text: fc.string({ maxLength: 3_000 }), trusted: fc.boolean() }), { maxLength: 120 })
  .map((comments) => comments.map((comment, index) => ({ ...comment, id: index + 1 })));
const budget = fc.integer({ min: 20, max: 6_000 });

describe('fitComments', () => {
  it('shows all comments whole if they fit', () => {
    const items = say(5, (id) => `Comment ${id}`);
    const fitted = fitComments(items, { maxTokens: 1_000, textOf });
    expect(fitted.shown.map(({ text }) => text)).toEqual(items.map(textOf));
    expect(fitted.listed).toEqual([]);
    expect(fitted.counted).toBeNull();
  });

  it('puts every comment in exactly one of shown, listed and counted, within the budget', () => {
    fc.assert(
      fc.property(thread, budget, fc.constantFrom(0.5, 1), (items, maxTokens, untrustedShare) => {
        const fitted = fitComments(items, { maxTokens, textOf, isTrusted, untrustedShare });
        const { shown, listed, counted } = fitted;
        const named = [...shown, ...listed].map(({ index }) => index);
        expect(new Set(named).size).toBe(named.length);
        expect(named.length + (counted?.count ?? 0)).toBe(items.length);
        const rest = items.map((_, index) => index).filter((index) => !named.includes(index));
        expect(counted === null ? [] : [counted.first, counted.last]).toEqual(
          rest.length === 0 ? [] : [rest[0], rest.at(-1)],
        );
        const countLine = counted === null ? 0 : estimateTokens(`${counted.count} older comments`);
        expect(fitted.tokens).toBeLessThanOrEqual(Math.max(maxTokens, countLine));
      }),
    );
  });

  it('shows the newest comments of each authority without a gap, and each whole or marked as shortened', () => {
    fc.assert(
      fc.property(thread, budget, (items, maxTokens) => {
        const { shown } = fitComments(items, { maxTokens, textOf, isTrusted });
        for (const trusted of [true, false]) {
          const all = items.filter((item) => item.trusted === trusted);
          const seen = shown.filter(({ item }) => item.trusted === trusted);
          expect(seen.map(({ item }) => item)).toEqual(all.slice(all.length - seen.length));
        }
        for (const { item, text, isShortened } of shown) {
          if (isShortened) expect(item.text.startsWith(text) && text.length < item.text.length).toBe(true);
          else expect(text).toBe(item.text);
        }
      }),
    );
  });

  it('shows the newest trusted comment whole if it fits three quarters of the room', () => {
    const items = [...say(300, () => 'x '.repeat(300), false), ...say(1, () => 'word '.repeat(400))];
    const { shown } = fitComments(items, { maxTokens: 2_000, textOf, isTrusted });
    expect(shown.at(-1)).toMatchObject({ isShortened: false, text: 'word '.repeat(400) });
  });

  it('keeps trusted comments in view however many long comments untrusted users add', () => {
    const items = [...say(3, (id) => `Request ${id}`), ...say(10, () => 'spam '.repeat(13_000), false)];
    const { shown } = fitComments(items, { maxTokens: 2_000, textOf, isTrusted });
    expect(shown.filter(({ item }) => item.trusted).map(({ text }) => text)).toEqual([
      'Request 1',
      'Request 2',
      'Request 3',
    ]);
    expect(shown.filter(({ item }) => !item.trusted).every(({ isShortened }) => isShortened)).toBe(true);
  });

  it('gives untrusted comments room beside many trusted ones', () => {
    const items = [...say(200, () => 'word '.repeat(100)), ...say(1, () => 'It fails on my machine.', false)];
    const { shown } = fitComments(items, { maxTokens: 2_000, textOf, isTrusted });
    expect(shown.at(-1)?.text).toBe('It fails on my machine.');
  });

  it('shows no more than the given number, and lists the others', () => {
    const items = say(12, (id) => `Comment ${id}`);
    const { shown, listed } = fitComments(items, { maxTokens: 1_000, textOf, maxShown: 10 });
    expect(shown).toHaveLength(10);
    expect(listed.map(({ firstLine }) => firstLine)).toEqual(['Comment 1', 'Comment 2']);
  });

  it('takes time in proportion to the budget where a comment has a million characters', () => {
    const items = say(20, () => 'a1b2 '.repeat(200_000), false);
    const began = performance.now();
    fitComments(items, { maxTokens: 2_000, textOf, isTrusted });
    expect(performance.now() - began).toBeLessThan(3_000);
  });
});

describe('toFirstLine', () => {
  it('is one line of at most 100 characters', () => {
    expect(toFirstLine('\n\n  Hello   there\nMore')).toBe('Hello there');
    expect(toFirstLine(`${'a'.repeat(300)}\nMore`)).toBe(`${'a'.repeat(100)}…`);
    expect(toFirstLine('')).toBe('');
  });
});
