import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { closeCodeBlock, fitCommentBody } from './fit-comment-body.ts';

describe('fitCommentBody', () => {
  it('leaves a body that fits as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 50 }), (body) => {
        expect(fitCommentBody(body, { maxChars: body.length, locale: 'en' })).toBe(body);
      }),
    );
  });

  it('never exceeds the limit and never cuts a character in two', () => {
    const text = fc.string({
      unit: fc.constantFrom('👋', 'a', '\n', '```', '~~~~', ' '),
      minLength: 60,
      maxLength: 400,
    });
    fc.assert(
      fc.property(
        text,
        fc.constantFrom('ja' as const, 'en' as const),
        fc.integer({ min: 60, max: 300 }),
        (body, locale, maxChars) => {
          const fitted = fitCommentBody(body, { maxChars, locale });
          expect(fitted.length).toBeLessThanOrEqual(maxChars);
          expect(fitted).not.toMatch(/\p{Surrogate}/u);
        },
      ),
    );
  });

  it('says in the language of the thread that something is missing', () => {
    const body = 'word '.repeat(100);
    expect(fitCommentBody(body, { maxChars: 100, locale: 'ja' })).toMatch(/省略しました）\*$/u);
    expect(fitCommentBody(body, { maxChars: 100, locale: 'en' })).toMatch(/the rest was left out\)\*$/u);
  });

  it('closes a code block that the cut leaves open, so that the note is no code', () => {
    const body = `before\n~~~~diff\n${'+ line\n'.repeat(50)}~~~~\nafter`;
    const fitted = fitCommentBody(body, { maxChars: 150, locale: 'en' });
    expect(fitted).toMatch(/\n~~~~\n\n\*… \(too long/u);
  });
});

describe('closeCodeBlock', () => {
  it.each(['```\ncode', '```js\ncode\n```ts', '~~~~\na\n~~~', '1. a\n   ```\n   b\n```', '```\r\ncode'])(
    'ends the code block that %j leaves open',
    (text) => {
      expect(closeCodeBlock(text)).toMatch(/\n(`{3}|~{4})$/);
    },
  );

  it.each(['```\ncode\n```', '```\ncode\n   ```  ', '```a`b```', '1. a\n   ```sh\n   npm test', 'text', ''])(
    'leaves %j as it is',
    (text) => {
      expect(closeCodeBlock(text)).toBe(text);
    },
  );
});
