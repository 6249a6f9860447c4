import { describe, expect, it } from 'vitest';
import type { Account, Comment } from './model.ts';
import { createOwnComments } from './own-comment-writer.ts';
import { PlatformError } from './platform-error.ts';

const account: Account = { id: '1', login: 'agent', kind: 'bot' };

/** A thread whose list lags by so long, and which loses the answer to the first write. */
function openThread(lagMs: number) {
  const clock = { ms: 0 };
  const written: { readonly comment: Comment; readonly at: number; removedAt: number | null }[] = [];
  const { writer } = createOwnComments({
    whoAmI: async () => account,
    maxChars: 1_000,
    locale: 'en',
    listComments: async () =>
      written.flatMap(({ comment, at, removedAt }) =>
        at <= clock.ms - lagMs && removedAt === null ? [comment] : [],
      ),
    create: async (body) => {
      const id = String(written.length + 1);
      const comment: Comment = {
        id,
        author: account,
        body,
        createdAt: '2026-05-01T03:00:00Z',
        updatedAt: null,
        url: null,
        visibility: 'public',
        subject: null,
      };
      written.push({ comment, at: clock.ms, removedAt: null });
      if (written.length === 1) throw new PlatformError('502', { code: 'unavailable' });
      return comment;
    },
    update: () => expect.unreachable('the body stays'),
    remove: async (id) => {
      for (const one of written) if (one.comment.id === id) one.removedAt = clock.ms;
    },
    pause: async ({ times = 1 }) => {
      clock.ms += times * 2_000;
    },
  });
  return { writer, written, clock };
}

describe('a comment whose answer was lost', () => {
  it.each([0, 5_000, 30_000, 59_000])(
    'stands once within a minute where the list lags by %i ms [NX-93]',
    async (lagMs) => {
      const { writer, written, clock } = openThread(lagMs);
      const { id } = await writer.ensureComment({ topic: 'final', body: 'Done.' });
      expect(id).toBe('1');
      expect(written.filter(({ removedAt }) => removedAt === null).map(({ comment }) => comment.id)).toEqual([
        '1',
      ]);
      expect(clock.ms).toBeLessThan(66_000);
    },
  );
});
