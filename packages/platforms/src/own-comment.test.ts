import { describe, expect, it } from 'vitest';
import type { Account, Comment } from './model.ts';
import { composeOwnComment, findOwnComment, isSameBody } from './own-comment.ts';
import { isSameAccount } from './same-account.ts';

const account = (id: string, login: string): Account => ({ id, login, kind: 'bot' });
const comment = (id: string, author: Account | null, body: string): Comment => ({
  id,
  author,
  body,
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: null,
  url: null,
  visibility: 'public',
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
