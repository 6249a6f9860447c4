import { expect, it } from 'vitest';
import type { RunLogger } from '../host/ports.ts';
import { createOwnCommentTest } from './trust.ts';

it('takes for ours what carries our marker and is by our account, and names whoever else carries it once [CD-4, CD-47]', () => {
  const warned: string[] = [];
  const logger = { warn: (fields: { readonly commentId: string }) => warned.push(fields.commentId) };
  const isOwn = createOwnCommentTest({
    ownAccount: { id: '7', login: 'robot', kind: 'person' },
    logger: logger as unknown as RunLogger,
  });
  const comment = (id: string, author: string | null, body: string) => ({
    id,
    author: author === null ? null : { id: author, login: 'somebody' },
    body,
    createdAt: '',
    updatedAt: null,
  });
  const marked = '<!-- agent-comment: run:0:final -->\nDone.';
  expect(isOwn(comment('1', '7', marked))).toBe(true);
  expect(isOwn(comment('2', '7', 'By hand.'))).toBe(false);
  expect(isOwn(comment('3', '8', marked))).toBe(false);
  expect(isOwn(comment('3', '8', marked))).toBe(false);
  expect(isOwn(comment('4', null, marked))).toBe(false);
  expect(warned).toEqual(['3', '4']);
});
