import { describe, expect, it } from 'vitest';
import { createMemoryPlatform } from '../memory/create-memory-platform.ts';
import type { RequestRecord } from '../model.ts';
import type { Platform } from '../platform.ts';
import { createDoorbell } from './doorbell.ts';
import { createRepositoryFeeds } from './repository-feed.ts';
import { createRequestBudget } from './request-budget.ts';
import { openThreadSource } from './thread-source.ts';

function setUp({ shared = true, sweepIntervalMs = 0 } = {}) {
  const platform = createMemoryPlatform({ repositories: [{ path: 'octo/hello', files: {} }] });
  const doorbell = createDoorbell();
  const polled: RequestRecord[] = [];
  const listed: RequestRecord[] = [];
  let opened = 0;
  const budget = createRequestBudget({ shortestMs: 0, longestMs: 0, pointsPerMinute: 1e9 });
  const openChanges: Platform['openChanges'] = shared
    ? (key) => {
        opened += 1;
        const onRequest = (record: RequestRecord) => void polled.push(record);
        return platform.openChanges?.(key, { onRequest }) ?? expect.unreachable();
      }
    : undefined;
  const feeds = createRepositoryFeeds({ openChanges, budget });
  const openIssue = () =>
    platform.people.openIssue({ repository: 'octo/hello', author: 'alice', title: 'x' });
  const listen = (key = openIssue()) => {
    const onRequest = (record: RequestRecord) => void listed.push(record);
    const source = openThreadSource(platform.openThread(key, { onRequest }), {
      budget,
      bell: doorbell,
      feeds,
      sweepIntervalMs,
    });
    const say = (body: string) => platform.people.comment(key, { author: 'alice', body });
    say('before');
    return { key, source, say };
  };
  return { platform, doorbell, budget, polled, listed, opened: () => opened, listen };
}

/** The changes of a repository whose clock has gone back behind what it was asked for. */
const showNothing = async () => ({ changes: [], since: null, unchanged: true });

describe('openThreadSource', () => {
  it('polls once for all threads of a repository, and each hears its own [CD-62, B21]', async () => {
    const { listen, listed, opened } = setUp();
    const threads = Array.from({ length: 20 }, () => listen());
    const cursors: (string | null)[] = [];
    for (const { source } of threads) cursors.push((await source.listComments({ since: null })).cursor);
    expect(opened()).toBe(1);
    listed.length = 0;
    for (const [index, { say }] of threads.entries()) say(`said on ${index}`);
    for (const [index, { source }] of threads.entries()) {
      const { comments } = await source.listComments({ since: cursors[index] ?? null, fresh: true });
      expect(comments.at(-1)?.body).toBe(`said on ${index}`);
    }
    expect(listed).toEqual([]);
  });

  it('lists an empty thread itself where all of it is asked for now, as a clock that goes back hides changes from the feed [B21]', async () => {
    const { platform, doorbell, budget } = setUp();
    const feeds = createRepositoryFeeds({ openChanges: () => ({ listChanges: showNothing }), budget });
    const key = platform.people.openIssue({ repository: 'octo/hello', author: 'alice', title: 'x' });
    const source = openThreadSource(platform.openThread(key), { budget, bell: doorbell, feeds });
    expect((await source.listComments({ since: null })).comments).toEqual([]);
    platform.people.comment(key, { author: 'alice', body: 'said by a clock that was put right' });
    const { comments } = await source.listComments({ since: null, fresh: true });
    expect(comments.map(({ body }) => body)).toEqual(['said by a clock that was put right']);
  });

  it('polls the thread alone where a platform does not list what changed in a repository', async () => {
    const { listen, listed, polled } = setUp({ shared: false });
    const { source, say } = listen();
    const { cursor } = await source.listComments({ since: null });
    say('after');
    const { comments } = await source.listComments({ since: cursor, fresh: true });
    expect(comments.at(-1)?.body).toBe('after');
    expect([listed.length, polled.length]).toEqual([2, 0]);
  });

  it('ends the poll with the last run that uses it, and begins another for the next', async () => {
    const { listen, opened } = setUp();
    const [one, other] = [listen(), listen()];
    await one.source.listComments({ since: null });
    await other.source.listComments({ since: null });
    one.source.close();
    const third = listen();
    await third.source.listComments({ since: null });
    expect(opened()).toBe(1);
    other.source.close();
    third.source.close();
    third.source.close();
    await listen().source.listComments({ since: null });
    expect(opened()).toBe(2);
  });

  it('hears what was said while it took no part [NX-2]', async () => {
    const { listen } = setUp();
    const { source, say } = listen();
    const { cursor } = await source.listComments({ since: null });
    source.close();
    say('meanwhile');
    const { comments, unchanged } = await source.listComments({ since: cursor });
    expect(unchanged).toBe(false);
    expect(comments.at(-1)?.body).toBe('meanwhile');
  });

  it('looks as if there were no webhooks until one has told of a comment in the repository [NX-2]', async () => {
    const { listen, doorbell } = setUp({ sweepIntervalMs: 600_000 });
    const { key, source, say } = listen();
    const { cursor } = await source.listComments({ since: null });
    const elsewhere = { type: 'github_issue', owner: 'octo', repo: 'other', number: 1 } as const;
    doorbell.ring({ key: elsewhere, commentId: '1', updatedAt: null, deleted: false });
    // A webhook of another event does not show that comments are sent.
    doorbell.ring({ key, commentId: null, updatedAt: null, deleted: false });
    await source.listComments({ since: cursor });
    say('now');
    const { comments } = await source.listComments({ since: cursor });
    expect(comments.at(-1)?.body).toBe('now');
  });

  it('asks for nothing while the bell is quiet, and for the thread as soon as it rings [CD-57]', async () => {
    const { listen, polled, doorbell } = setUp({ sweepIntervalMs: 600_000 });
    const { key, source, say } = listen();
    const { cursor } = await source.listComments({ since: null });
    doorbell.ring({ key: listen().key, commentId: '1', updatedAt: null, deleted: false });
    polled.length = 0;
    const commentId = say('now');
    expect((await source.listComments({ since: cursor })).unchanged).toBe(true);
    expect(polled).toEqual([]);
    doorbell.ring({ key, commentId, updatedAt: null, deleted: false });
    const { comments } = await source.listComments({ since: cursor });
    expect(comments.at(-1)?.body).toBe('now');
    expect(polled).toHaveLength(1);
  });
});
