import { describe, expect, it } from 'vitest';
import type { CommentSource } from '../ports.ts';
import { createMemoryFixture } from '../testing/memory-fixture.ts';
import { createDoorbell } from './doorbell.ts';
import { withDoorbell } from './with-doorbell.ts';

/** A thread whose bell has rung for a new comment while its credential has no requests to spare for a minute. */
async function whileRequestsAreShort() {
  const { platform, people, key } = await createMemoryFixture();
  await people.comment(key, { author: 'alice', body: 'first' });
  const clock = { time: 0 };
  const looks: { since: string | null; fresh: boolean }[] = [];
  /** What others have seen of the repository is as old as this says, unless a look is a fresh one. */
  const shared = { isOld: true };
  const thread = platform.openThread(key).comments;
  const counted: CommentSource = {
    listComments: async ({ since, fresh = false, signal }) => {
      looks.push({ since, fresh });
      if (fresh || since === null || !shared.isOld) return thread.listComments({ since, signal });
      return { comments: [], complete: false, cursor: since, unchanged: true };
    },
  };
  const bell = createDoorbell();
  const hurryWaitMs = () => Math.max(0, 60_000 - clock.time);
  const source = withDoorbell(counted, { bell, key, hurryWaitMs, now: () => clock.time });
  const { cursor } = await source.listComments({ since: null });
  looks.length = 0;
  await people.passTime(300);
  const commentId = await people.comment(key, { author: 'bob', body: 'news' });
  const { comments } = await platform.openThread(key).comments.listComments({ since: null });
  const updatedAt = comments.find(({ id }) => id === commentId)?.updatedAt ?? null;
  const ring = (deleted = false) => bell.ring({ key, commentId, updatedAt, deleted });
  return { source, cursor, clock, looks, shared, ring };
}

describe('a doorbell whose credential runs short', () => {
  it('asks without haste meanwhile, and forgets no ring [CD-57] [NX-2]', async () => {
    const { source, cursor, clock, looks, ring } = await whileRequestsAreShort();
    ring();
    for (; clock.time < 60_000; clock.time += 10_000)
      expect((await source.listComments({ since: cursor })).unchanged).toBe(true);
    expect(looks).toEqual(Array.from({ length: 6 }, () => ({ since: cursor, fresh: false })));
    const { comments } = await source.listComments({ since: cursor });
    expect(comments.map(({ body }) => body)).toContain('news');
    expect(looks.at(-1)).toEqual({ since: cursor, fresh: true });
    expect(source.isDue()).toBe(false);
  });

  it('hears from the looks of others what its bell named, and asks no more for it [CD-60]', async () => {
    const { source, cursor, looks, shared, ring } = await whileRequestsAreShort();
    ring();
    shared.isOld = false;
    const { comments } = await source.listComments({ since: cursor });
    expect(comments.map(({ body }) => body)).toContain('news');
    expect(looks).toEqual([{ since: cursor, fresh: false }]);
    expect(source.isDue()).toBe(false);
  });

  it('looks for a deletion, which takes the whole thread, when there is a request to spare [B14]', async () => {
    const { source, cursor, clock, looks, ring } = await whileRequestsAreShort();
    ring(true);
    await source.listComments({ since: cursor });
    clock.time = 60_000;
    await source.listComments({ since: cursor });
    expect(looks).toEqual([
      { since: cursor, fresh: false },
      { since: null, fresh: true },
    ]);
  });

  it('looks at once for a caller who insists [B21]', async () => {
    const { source, cursor, looks } = await whileRequestsAreShort();
    const { comments } = await source.listComments({ since: cursor, fresh: true });
    expect(comments.map(({ body }) => body)).toContain('news');
    expect(looks).toEqual([{ since: cursor, fresh: true }]);
  });
});
