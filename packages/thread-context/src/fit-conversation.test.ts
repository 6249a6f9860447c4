import { truncationMark } from '@agent/text';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ConversationLimits } from './comment-handling-config.ts';
import { type ConversationTexts, fitConversation } from './fit-conversation.ts';
import type { CommentInput } from './normalize.ts';
import { toConversationContext } from './to-conversation-context.ts';

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

const alice = { id: 1, login: 'alice' };
const body = 'b'.repeat(100);
const issue = { id: 9, number: 7, title: 'T', body, user: alice, created_at: '2026-01-01T00:00:00Z' };
const comments: CommentInput[] = [1, 2, 3].map((id) => ({
  id,
  user: alice,
  body: `${id}`.repeat(100),
  created_at: `2026-01-01T0${id}:00:00Z`,
}));
const contextWith = (options: ConversationLimits, listed = comments) =>
  toConversationContext(issue, listed, { ownAccount: null, ...options });
const sizes = (context: ReturnType<typeof contextWith>) =>
  context.conversation.map(({ content }) => content.length);

describe('the budget of a context', () => {
  it('is none when nothing is said [A10]', () => {
    expect(contextWith({}).context_summary.truncated).toBe(false);
    expect(sizes(contextWith({}))).toEqual([113, 100, 100, 100]);
  });

  it('is kept in characters: the oldest go first, and the summary says so [A10] [CC-7] [CC-8] [CC-16]', () => {
    expect(sizes(contextWith({ maxContextChars: 413 }))).toEqual([113, 100, 100, 100]);
    const context = contextWith({ maxContextChars: 412 });
    expect(sizes(context)).toEqual([113, 100, 100]);
    expect(context.context_summary).toEqual({
      total_comments: 3,
      truncated: true,
      oldest_included: '2026-01-01T02:00:00Z',
    });
  });

  it('says that something is missing when only a text was cut, in the description too [A10] [CC-8]', () => {
    const context = contextWith({ maxContextChars: 60 }, []);
    expect(context.context_summary).toMatchObject({ total_comments: 0, truncated: true });
    expect(context.conversation[0]?.content).toMatch(/^Issue #7: T\n\nb{35}…\(truncated\)$/);
    expect(context.issue.description).toMatch(/^b{35}…\(truncated\)$/);
  });

  it("is kept in tokens by the caller's count, and by both limits where both are given [A10]", () => {
    const countTokens = (text: string) => text.length * 2;
    expect(sizes(contextWith({ maxContextTokens: 2 * 413, countTokens }))).toHaveLength(4);
    expect(sizes(contextWith({ maxContextTokens: 2 * 412, countTokens }))).toHaveLength(3);
    expect(sizes(contextWith({ maxContextTokens: 824, countTokens, maxContextChars: 312 }))).toHaveLength(2);
    expect(sizes(contextWith({ maxContextTokens: 386 }))).toHaveLength(4);
    expect(sizes(contextWith({ maxContextTokens: 385 }))).toHaveLength(3);
  });

  it.each([0, -5, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '4000', null])(
    'is refused when it is no whole number: %s [X1]',
    (wrong) => {
      for (const name of ['maxContextChars', 'maxContextTokens'])
        expect(() => contextWith({ [name]: wrong as number })).toThrow(
          `ConversationOptions.${name} must be a whole number of at least 1`,
        );
    },
  );
});
