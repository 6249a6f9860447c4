import { describe, expect, it } from 'vitest';
import type { Account, Comment } from '../model.ts';
import { PlatformError } from '../platform-error.ts';
import { createOwnComments } from './own-comment-writer.ts';

const account: Account = { id: '1', login: 'agent', kind: 'bot' };

/** A thread whose list lags by so long, and whose first writes are done but fail with these codes. */
function openThread(lagMs: number, failures: PlatformError['code'][] = ['unavailable']) {
  const clock = { ms: 0 };
  const written: { readonly comment: Comment; readonly at: number; removedAt: number | null }[] = [];
  const open = () =>
    createOwnComments({
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
        const code = failures.shift();
        if (code !== undefined) throw new PlatformError('It failed.', { code });
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
  const stands = () => written.flatMap(({ comment: { id }, removedAt }) => (removedAt === null ? [id] : []));
  return { open, stands, clock };
}

const lags = [0, 3_000, 5_000, 30_000, 59_000];
const wanted = { topic: 'final', body: 'Done.' };

describe('a comment whose answer was lost', () => {
  it.each(lags)('stands once within a minute where the list lags by %i ms [NX-93]', async (lagMs) => {
    const { open, stands, clock } = openThread(lagMs);
    expect(await open().writer.ensureComment(wanted)).toMatchObject({ id: '1' });
    expect(stands()).toEqual(['1']);
    expect(clock.ms).toBeLessThan(66_000);
  });

  it.each(lags)(
    'stands once where it is written again after both writes failed, at a lag of %i ms [NX-93]',
    async (lagMs) => {
      const { open, stands } = openThread(lagMs, ['unavailable', 'unavailable']);
      const { writer } = open();
      await writer.ensureComment(wanted).catch(() => null);
      expect(await writer.ensureComment(wanted)).toMatchObject({ id: '1' });
      expect(stands()).toEqual(['1']);
    },
  );
});

describe('a comment that an earlier process may have written', () => {
  it.each(lags)('stands once within a minute where the list lags by %i ms [NX-93]', async (lagMs) => {
    const { open, stands, clock } = openThread(lagMs, []);
    await open().writer.ensureComment(wanted);
    expect(await open().writer.ensureComment({ ...wanted, mayExist: true })).toMatchObject({ id: '1' });
    expect(stands()).toEqual(['1']);
    expect(clock.ms).toBeLessThan(66_000);
  });

  it('is looked for only until the list shows the new one', async () => {
    const { open, stands, clock } = openThread(0, []);
    expect(await open().writer.ensureComment({ ...wanted, mayExist: true })).toMatchObject({ id: '1' });
    expect([stands(), clock.ms]).toEqual([['1'], 2_000]);
  });
});
