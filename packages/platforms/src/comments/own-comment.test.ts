import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Account, type Comment, isSameAccount } from '../model.ts';
import {
  closeCodeBlock,
  composeOwnComment,
  findOwnComment,
  fitCommentBody,
  formatCommentMarker,
  isSameBody,
  parseCommentMarker,
} from './own-comment.ts';

const account = (id: string, login: string): Account => ({ id, login, kind: 'bot' });
const comment = (id: string, author: Account | null, body: string): Comment => ({
  id,
  author,
  body,
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: null,
  url: null,
  visibility: 'public',
  subject: null,
});

describe('isSameAccount', () => {
  it('goes by the numeric id first, whatever the logins are [X2]', () => {
    expect(isSameAccount(account('1', 'old-name'), account('1', 'new-name'))).toBe(true);
    expect(isSameAccount(account('1', 'agent'), account('2', 'agent'))).toBe(false);
  });

  it('else by login, whatever its case, with or without [bot] [X2]', () => {
    expect(isSameAccount(account('', 'Agent[bot]'), account('2', 'agent'))).toBe(true);
    expect(isSameAccount(account('', 'agent'), account('2', 'agents'))).toBe(false);
  });

  it('takes a deleted account for nobody', () => {
    expect(isSameAccount(null, null)).toBe(false);
  });
});

describe('findOwnComment', () => {
  const own = account('7', 'agent[bot]');
  const body = composeOwnComment({ topic: 'final', body: 'Done.' }, { maxChars: 1000, locale: 'en' });

  it('finds our oldest comment on the topic and nobody else’s [X2]', () => {
    const comments = [
      comment('1', account('8', 'agent[bot]'), body),
      comment('2', null, body),
      comment('3', own, `> ${body}`),
      comment('4', own, body.replace('final', 'final2')),
      comment('5', own, body),
      comment('6', own, body),
    ];
    expect(findOwnComment(comments, { topic: 'final', account: own })?.id).toBe('5');
    expect(findOwnComment(comments, { topic: 'other', account: own })).toBeUndefined();
  });
});

describe('isSameBody', () => {
  it('overlooks line ends and trailing blanks, and nothing else', () => {
    expect(isSameBody('a\r\nb \r\n', 'a\nb')).toBe(true);
    expect(isSameBody('a\n b', 'a\nb')).toBe(false);
  });
});

describe('the marker of our own comments', () => {
  it('is hidden, and read back from the beginning of a comment only [X2]', () => {
    const marker = formatCommentMarker('final:8f14e45f');
    expect(marker).toBe('<!-- agent-comment: final:8f14e45f -->');
    expect(parseCommentMarker(`${marker}\nDone.`)).toBe('final:8f14e45f');
    expect(parseCommentMarker(`Look at this: ${marker}`)).toBeNull();
    expect(parseCommentMarker('Done.')).toBeNull();
  });

  it('reads every topic back that it accepts, and accepts none that could end the HTML comment', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '-', '>', '<', ' ', '\n', ':', '語'), maxLength: 8 }),
        (topic) => {
          try {
            expect(parseCommentMarker(`${formatCommentMarker(topic)}\nbody`)).toBe(topic);
          } catch (error) {
            expect(error).toMatchObject({ code: 'invalid' });
            expect(topic).toMatch(/^$|--|[<>\n]|^[\s-]|[\s-]$/u);
          }
        },
      ),
    );
  });
});

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
