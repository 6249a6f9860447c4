import { expect, it } from 'vitest';
import type { CommentChange } from './changes.ts';
import type { SourceComment } from './comment.ts';
import { askAuthorities, composeDelivery } from './compose-delivery.ts';

const created = (id: string): CommentChange => {
  const at = '2026-01-01T10:00:00Z';
  const comment = { id, author: null, body: id, createdAt: at, updatedAt: at };
  return { kind: 'added', comment, previousBody: null, revision: '' };
};

it('an author about whom nobody could be asked is neither trusted nor a stranger, and that is said [NX-4]', async () => {
  const failure = new Error('down');
  const told: unknown[] = [];
  const authorities = await askAuthorities([created('a'), created('b')], {
    authorityOf: ({ id }) => {
      if (id === 'a') throw failure;
      return 'trusted';
    },
    onUnknown: (error, id) => void told.push([error, id]),
  });
  expect([...authorities]).toEqual([
    ['a', 'unknown'],
    ['b', 'trusted'],
  ]);
  expect(told).toEqual([[failure, 'a']]);
});

it('an author is asked for once, however many comments there are, and freshly if one of them needs it', async () => {
  const asked: unknown[] = [];
  const by = (id: string, authorId: string, fields: Partial<SourceComment> = {}) => ({
    comment: { ...created(id).comment, author: { id: authorId, login: `user-${authorId}` }, ...fields },
  });
  const changes = [by('1', '7'), by('2', '8'), by('3', '7'), by('4', '7', { visibility: 'internal' })];
  const authorities = await askAuthorities(changes, {
    authorityOf: ({ id, author }, { fresh }) => {
      asked.push([id, fresh]);
      return author?.id === '7' ? 'trusted' : 'untrusted';
    },
    needsFreshAuthority: ({ id }) => id === '3',
    onUnknown: () => {},
  });
  expect(asked).toEqual([
    ['1', true],
    ['2', false],
    ['4', false],
  ]);
  expect(Object.fromEntries(authorities)).toEqual({
    1: 'trusted',
    2: 'untrusted',
    3: 'trusted',
    4: 'trusted',
  });
});

it.each([true, false, undefined, 'yes'])('an answer that is no authority is refused: %s', async (answer) => {
  const asking = askAuthorities([created('a')], { authorityOf: () => answer as never, onUnknown: () => {} });
  await expect(asking).rejects.toThrow('authorityOf must return "trusted" or "untrusted"; it returned');
});

it('a message that is just as long as it may be is told whole', () => {
  const change = created('a'.repeat(200));
  const options = {
    authorities: new Map(),
    maxBodyChars: 1_000,
    prepareBody: ({ body }: { readonly body: string }) => body,
  };
  const { text } = composeDelivery([change], { ...options, maxMessageChars: 1_000 });
  expect(text).toContain(change.comment.body);
  expect(composeDelivery([change], { ...options, maxMessageChars: text.length }).text).toBe(text);
  expect(composeDelivery([change], { ...options, maxMessageChars: text.length - 1 }).text).not.toContain(
    change.comment.body,
  );
});
