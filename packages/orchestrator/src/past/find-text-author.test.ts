import type { Account } from '@agent/platforms';
import { expect, it } from 'vitest';
import { findLeastTrusted, findTextAuthors } from './find-text-author.ts';

const person = (login: string): Account => ({ id: login, login, kind: 'person' });
const [alice, bob] = [person('alice'), person('bob')];
const createdAt = '2026-01-01T00:00:00Z';
const authorAfter = async (...edits: readonly (readonly ['title' | 'body', Account | null])[]) => {
  const listEdits = async () =>
    edits.map(([part, actor], index) => ({ part, actor, at: `2026-01-02T00:00:0${index}Z` }));
  const authors = await findTextAuthors({ history: { listEdits } as never }, { author: alice, createdAt });
  return findLeastTrusted(authors, async (account) => account?.login === 'alice');
};

it('the text of an issue has the authority of the least trusted author of title and body', async () => {
  expect(await authorAfter()).toEqual(alice);
  expect(await authorAfter(['title', bob], ['body', alice])).toEqual(bob);
  expect(await authorAfter(['body', bob], ['title', alice])).toEqual(bob);
  expect(await authorAfter(['body', bob], ['body', alice], ['title', alice])).toEqual(alice);
  expect(await authorAfter(['body', null])).toBeNull();
});
