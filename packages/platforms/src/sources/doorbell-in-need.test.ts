import { describe, expect, it } from 'vitest';
import type { CommentSource } from '../ports.ts';
import { createMemoryFixture } from '../testing/contract-fixture.ts';
import { createDoorbell } from './doorbell.ts';
import { withDoorbell } from './thread-source.ts';

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
  const urgentDelayMs = () => Math.max(0, 60_000 - clock.time);
  const source = withDoorbell(counted, { bell, key, urgentDelayMs, now: () => clock.time });
  const { cursor } = await source.listComments({ since: null });
  looks.length = 0;
  await people.passTime(300);
  const commentId = await people.comment(key, { author: 'bob', body: 'news' });
  const { comments } = await platform.openThread(key).comments.listComments({ since: null });
  const updatedAt = comments.find(({ id }) => id === commentId)?.updatedAt ?? null;
  const ring = (deleted = false) => bell.ring({ key, commentId, updatedAt, deleted });
  const carry = (body = 'news') => {
    const author = { id: '2', login: 'bob', kind: 'person' } as const;
    const times = { createdAt: updatedAt ?? '', updatedAt };
    const comment = {
      id: commentId,
      author,
      body,
      ...times,
      url: null,
      visibility: 'public',
      subject: null,
    } as const;
    bell.ring({ key, commentId, updatedAt, deleted: false, comment });
    return { comment, again: () => bell.ring({ key, commentId, updatedAt: null, deleted: false, comment }) };
  };
  return { source, cursor, clock, looks, shared, ring, carry };
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

  it('tells the comment that the ring carries, once, without a look of its own [CD-57] [NX-2]', async () => {
    const { source, cursor, looks, carry } = await whileRequestsAreShort();
    const { comment } = carry();
    const question = { since: cursor };
    expect(await source.listComments(question)).toEqual({
      ...{ comments: [comment], complete: false, cursor, unchanged: false },
    });
    expect(source.isDue()).toBe(false);
    carry();
    expect((await source.listComments(question)).comments).toEqual([]);
    expect(looks).toEqual([{ since: cursor, fresh: false }]);
  });

  it('tells the edited one of two that one second brought, in whatever order they came [NX-2]', async () => {
    for (const bodies of [
      ['news', 'better news'],
      ['better news', 'news'],
    ]) {
      const { source, cursor, carry } = await whileRequestsAreShort();
      for (const body of bodies) {
        const { again } = carry(body);
        if (body === 'better news') again();
      }
      const { comments } = await source.listComments({ since: cursor });
      expect(comments.map(({ body }) => body)).toEqual(['better news']);
    }
  });

  it('never tells a comment that it knows to be deleted, whichever webhook came first [NX-2]', async () => {
    for (const isDeletedFirst of [true, false]) {
      const { source, cursor, carry, ring } = await whileRequestsAreShort();
      if (isDeletedFirst) ring(true);
      carry();
      if (!isDeletedFirst) ring(true);
      expect((await source.listComments({ since: cursor })).comments).toEqual([]);
    }
  });

  it('looks at once for a caller who insists [B21]', async () => {
    const { source, cursor, looks } = await whileRequestsAreShort();
    const { comments } = await source.listComments({ since: cursor, fresh: true });
    expect(comments.map(({ body }) => body)).toContain('news');
    expect(looks).toEqual([{ since: cursor, fresh: true }]);
  });
});
