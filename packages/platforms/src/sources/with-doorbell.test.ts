import { describe, expect, it } from 'vitest';
import type { CommentSource } from '../ports.ts';
import { createMemoryFixture } from '../testing/contract-fixture.ts';
import { createDoorbell, type Ring } from './doorbell.ts';
import { withDoorbell } from './thread-source.ts';

/** A thread with one comment, its bell, and a clock that moves by hand and by the waits. */
async function atTheDoor(options: { readonly repeatAfterMs?: readonly number[] } = {}) {
  const { platform, people, key } = await createMemoryFixture();
  await people.comment(key, { author: 'alice', body: 'first' });
  const bell = createDoorbell();
  const clock = { time: 0 };
  const waits: number[] = [];
  const looks: { since: string | null; fresh: boolean }[] = [];
  const hidden = { looks: 0 };
  const thread = platform.openThread(key).comments;
  const counted: CommentSource = {
    listComments: async ({ since, fresh = false, signal }) => {
      looks.push({ since, fresh });
      if (hidden.looks === 0) return thread.listComments({ since, signal });
      hidden.looks -= 1;
      return { comments: [], complete: false, cursor: since, unchanged: true };
    },
  };
  const source = withDoorbell(counted, {
    bell,
    key,
    now: () => clock.time,
    sleep: async (milliseconds, signal) => {
      signal?.throwIfAborted();
      waits.push(milliseconds);
      clock.time += milliseconds;
    },
    ...options,
  });
  const { cursor } = await source.listComments({ since: null });
  looks.length = 0;
  const write = async (body: string): Promise<Ring> => {
    await people.passTime(300);
    const commentId = await people.comment(key, { author: 'bob', body });
    const { comments } = await platform.openThread(key).comments.listComments({ since: null });
    const updatedAt = comments.find(({ id }) => id === commentId)?.updatedAt ?? null;
    return { key, commentId, updatedAt, deleted: false };
  };
  return { people, key, bell, clock, waits, looks, hidden, source, cursor, write };
}

describe('withDoorbell', () => {
  it('asks nothing while the bell is quiet, and once when a sweep is due [CD-57] [CD-60]', async () => {
    const { source, looks, clock, cursor } = await atTheDoor();
    for (let second = 0; second < 599; second += 1) {
      clock.time += 1000;
      const listing = await source.listComments({ since: cursor });
      expect(listing).toEqual({ comments: [], complete: false, cursor, unchanged: true });
    }
    expect(looks).toEqual([]);
    clock.time += 1000;
    await source.listComments({ since: cursor });
    expect(looks).toHaveLength(1);
  });

  it('looks at once when it rings, with a request that began after the ring [NX-2]', async () => {
    const { source, bell, looks, cursor, write } = await atTheDoor();
    bell.ring(await write('now'));
    expect(source.isDue()).toBe(true);
    const { comments } = await source.listComments({ since: cursor });
    expect(comments.map(({ body }) => body)).toContain('now');
    expect(looks).toEqual([{ since: cursor, fresh: true }]);
    expect(source.isDue()).toBe(false);
  });

  it('looks again after 0.25, 1 and 4 seconds until the listing shows what the bell named [NX-2]', async () => {
    const { source, bell, looks, hidden, clock, cursor, write } = await atTheDoor();
    bell.ring(await write('late'));
    hidden.looks = 3;
    const seen: string[] = [];
    let since = cursor;
    for (; clock.time < 6000; clock.time += 50) {
      const { comments, cursor: next } = await source.listComments({ since });
      since = next;
      if (comments.length > 0) seen.push(`${clock.time} ${comments.at(-1)?.body}`);
    }
    expect(seen).toEqual(['5250 late']);
    expect(looks).toHaveLength(4);
  });

  it('gives up on what never shows, and leaves it to the next sweep', async () => {
    const { source, bell, looks, clock, key, cursor } = await atTheDoor();
    bell.ring({ key, commentId: '999', updatedAt: '2026-02-01T00:00:00Z', deleted: false });
    for (; clock.time < 60_000; clock.time += 50) await source.listComments({ since: cursor });
    expect(looks).toHaveLength(4);
  });

  it('lets a caller who insists wait for what the bell named [NX-2]', async () => {
    const { source, bell, hidden, waits, cursor, write } = await atTheDoor();
    bell.ring(await write('late'));
    hidden.looks = 2;
    const { comments } = await source.listComments({ since: cursor, fresh: true });
    expect(comments.at(-1)?.body).toBe('late');
    expect(waits).toEqual([250, 1000]);
  });

  it('loses nothing of a look whose caller left before its end [NX-2]', async () => {
    const { source, bell, key, cursor, write } = await atTheDoor();
    const ring = await write('heard');
    bell.ring(ring);
    bell.ring({ ...ring, key, commentId: '999' });
    const controller = new AbortController();
    const leaving = { ...ring, commentId: '998' };
    bell.onRing(key, () => controller.abort(new Error('left')));
    const look = source.listComments({ since: cursor, fresh: true, signal: controller.signal });
    bell.ring(leaving);
    await expect(look).rejects.toThrow('left');
    const { comments } = await source.listComments({ since: cursor });
    expect(comments.map(({ body }) => body)).toContain('heard');
  });

  it('takes rings twice, late and out of order for what they are: no news [NX-2]', async () => {
    const { source, bell, looks, write, cursor } = await atTheDoor();
    const first = await write('one');
    const second = await write('two');
    for (const ring of [second, first, second, first]) bell.ring(ring);
    const listing = await source.listComments({ since: cursor });
    expect(listing.comments.map(({ body }) => body)).toEqual(expect.arrayContaining(['one', 'two']));
    for (const ring of [first, second, first]) bell.ring(ring);
    await source.listComments({ since: listing.cursor });
    expect(looks).toHaveLength(1);
  });

  it('shows a deletion by the whole thread [NX-1]', async () => {
    const { source, bell, looks, people, key, write, cursor } = await atTheDoor();
    const ring = await write('gone soon');
    await people.deleteComment(key, ring.commentId ?? '');
    bell.ring({ ...ring, deleted: true });
    const listing = await source.listComments({ since: cursor });
    expect(listing).toMatchObject({ complete: true });
    expect(listing.comments.map(({ body }) => body)).toEqual(['first']);
    expect(looks).toEqual([{ since: null, fresh: true }]);
  });

  it('hears an edit of a comment that it has shown before', async () => {
    const { source, bell, people, key, write, cursor } = await atTheDoor();
    const ring = await write('wrong');
    bell.ring(ring);
    const { cursor: next } = await source.listComments({ since: cursor });
    await people.passTime(5);
    await people.editComment(key, ring.commentId ?? '', 'right');
    bell.ring({ ...ring, updatedAt: new Date(Date.parse(ring.updatedAt ?? '') + 5000).toISOString() });
    const { comments } = await source.listComments({ since: next });
    expect(comments.at(-1)?.body).toBe('right');
  });

  it('keeps a ring whose look failed', async () => {
    const { source, bell, people, key, cursor, write } = await atTheDoor();
    const ring = await write('kept');
    bell.ring(ring);
    const broken = AbortSignal.abort(new Error('offline'));
    await expect(source.listComments({ since: cursor, signal: broken })).rejects.toThrow('offline');
    expect((await source.listComments({ since: cursor })).comments.at(-1)?.body).toBe('kept');
    expect(await people.commentsOn(key)).toHaveLength(2);
  });

  it('hears nothing any more once it is closed', async () => {
    const { source, bell, cursor, write } = await atTheDoor();
    source.close();
    bell.ring(await write('unheard'));
    expect(source.isDue()).toBe(false);
    expect((await source.listComments({ since: cursor })).unchanged).toBe(true);
  });
});

describe('createDoorbell', () => {
  const issue = { type: 'github_issue', owner: 'Octo', repo: 'hello', number: 4 } as const;

  it('wakes those who wait for the thread, by either of its keys, and those who wait for any', () => {
    const bell = createDoorbell();
    const heard: string[] = [];
    bell.onRing(issue, () => heard.push('issue'));
    bell.onRing({ ...issue, number: 5 }, () => heard.push('another'));
    const stop = bell.onRing(null, () => heard.push('any'));
    const ring = { commentId: '1', updatedAt: null, deleted: false };
    bell.ring({ ...ring, key: { ...issue, owner: 'octo', type: 'github_pull_request' } });
    stop();
    bell.ring({ ...ring, key: issue });
    expect(heard).toEqual(['issue', 'any', 'issue']);
  });
});
