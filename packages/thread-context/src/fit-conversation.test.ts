import { truncationMark } from '@agent/text';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ConversationTexts, fitConversation } from './fit-conversation.ts';

const characters = (text: string) => text.length;
const bytes = (text: string) => new TextEncoder().encode(text).length;
const sizeOf = ({ heading, body, comments }: ConversationTexts, measure: (text: string) => number) =>
  [heading + body, ...comments].reduce((sum, text) => sum + measure(text), 0);

const texts = fc.record({
  heading: fc.string({ maxLength: 40, unit: 'grapheme' }),
  body: fc.string({ maxLength: 300, unit: 'grapheme' }),
  comments: fc.array(fc.string({ maxLength: 150, unit: 'grapheme' }), { maxLength: 8 }),
});

describe('fitConversation', () => {
  it('leaves a conversation alone that just fits [A10]', () => {
    const whole = {
      heading: 'Issue #1: T\n\n',
      body: 'body',
      comments: ['one', 'two'].map((word) => word.repeat(10)),
    };
    const maxSize = sizeOf(whole, characters);
    expect(fitConversation(whole, { maxSize, measure: characters })).toEqual(whole);
    expect(fitConversation(whole, { maxSize: maxSize - 1, measure: characters }).comments).toEqual([
      'two'.repeat(10),
    ]);
  });

  it('shortens only the newest comment, and lets neither it nor the issue starve the other [A10]', () => {
    const long = 'x'.repeat(10_000);
    const cut = fitConversation(
      { heading: 'Issue #1: T\n\n', body: long, comments: ['old', long] },
      { maxSize: 1_000, measure: characters },
    );
    expect(cut.comments).toEqual([`${'x'.repeat(500 - truncationMark.length)}${truncationMark}`]);
    expect((cut.heading + cut.body).length).toBe(500);
  });

  it('never exceeds the budget [A10]', () => {
    fc.assert(
      fc.property(texts, fc.nat(600), fc.constantFrom(characters, bytes), (whole, maxSize, measure) => {
        expect(sizeOf(fitConversation(whole, { maxSize, measure }), measure)).toBeLessThanOrEqual(maxSize);
      }),
      { numRuns: 500 },
    );
  });

  it('lets the newest comment survive, and keeps the newest without a gap [A10] [CC-7]', () => {
    fc.assert(
      fc.property(texts, fc.nat(600), (whole, maxSize) => {
        const { comments } = fitConversation(whole, { maxSize, measure: characters });
        const newest = whole.comments.slice(whole.comments.length - comments.length);
        expect(comments.length).toBeGreaterThanOrEqual(Math.min(1, whole.comments.length));
        expect(comments.slice(0, -1)).toEqual(newest.slice(0, -1));
        const last = comments.at(-1)?.replace(truncationMark, '').trimEnd() ?? '';
        expect(newest.at(-1)?.startsWith(last) ?? true).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
