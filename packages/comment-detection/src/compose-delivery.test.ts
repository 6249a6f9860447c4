import { expect, it } from 'vitest';
import type { CommentChange } from './changes.ts';
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
