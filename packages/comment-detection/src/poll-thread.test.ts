import { describe, expect, it } from 'vitest';
import { TestThread } from '../test/thread-setup.ts';
import type { CommentSource } from './comment.ts';
import { CommentDetectionManager } from './comment-detection-manager.ts';
import { pollThread } from './poll-thread.ts';

/** A thread with comments 1 and 2, seen; its source says "unchanged" where it has answered the same question. */
async function begun() {
  const thread = new TestThread();
  const answered = new Map<string | null, string>();
  const failures = new Map<number, Error>();
  let looks = 0;
  const source: CommentSource = {
    listComments: async (options) => {
      looks += 1;
      const failure = failures.get(looks);
      if (failure !== undefined) throw failure;
      const listing = await thread.source.listComments(options);
      const now = JSON.stringify(listing.comments);
      const isSame = answered.get(options.since) === now;
      answered.set(options.since, now);
      return isSame ? { ...listing, comments: [], complete: false, unchanged: true } : listing;
    },
  };
  const clock = { monotonicNow: () => thread.clock, now: () => new Date(thread.clock) };
  const sleep = async (milliseconds: number) => thread.pass(milliseconds);
  const timeoutSignal = () => new AbortController().signal;
  const manager = new CommentDetectionManager(source, {
    ...clock,
    sleep,
    timeoutSignal,
    botUsername: 'agent',
    authorityOf: () => 'trusted',
    cleanText: (text) => text,
  });
  thread.say('1');
  thread.say('2');
  await manager.initialize();
  thread.pass();
  const failNext = (after: number) => void failures.set(looks + 1 + after, new Error('503'));
  return { thread, manager, failNext };
}

const idsOf = (comments: readonly { readonly id: string }[]) => comments.map(({ id }) => id);

describe('a poll for deletions', () => {
  it('loses nothing that its first listing showed when the second one fails [NX-2]', async () => {
    const { thread, manager, failNext } = await begun();
    thread.remove('1');
    thread.say('3');
    failNext(1);
    expect(await manager.checkForChanges({ barrier: true })).toMatchObject({ status: 'failed' });
    thread.pass(120_000);
    const { status, added, deleted } = await manager.checkForChanges({ barrier: true });
    expect([status, idsOf(added), idsOf(deleted)]).toEqual(['checked', ['3'], ['1']]);
  });

  it.each([2, 1500])(
    'hears of a deletion when the source shows the whole of %d comments unasked, as after a webhook [NX-1]',
    async (count) => {
      const { thread, manager } = await begun();
      for (let id = 3; id <= count; id += 1) thread.say(String(id));
      await manager.checkForChanges();
      thread.pass();
      thread.remove('1');
      thread.answers.push({ comments: [...thread.comments], complete: true });
      const { status, deleted } = await manager.checkForChanges();
      expect([status, idsOf(deleted)]).toEqual(['checked', ['1']]);
    },
  );

  it('does not take what one listing missed for deleted when the next one shows it', async () => {
    const { thread, manager, failNext } = await begun();
    const [first] = thread.comments;
    thread.remove('1');
    failNext(1);
    await manager.checkForChanges({ barrier: true });
    if (first !== undefined) thread.comments = [first, ...thread.comments];
    thread.pass(120_000);
    const { status, deleted } = await manager.checkForChanges({ barrier: true });
    expect([status, deleted]).toEqual(['checked', []]);
  });
});

it('holds nothing for missing any more that is listed again [NX-1]', async () => {
  const thread = new TestThread();
  thread.say('1');
  const list = () => thread.source.listComments({ since: '2026-01-01T00:00:00Z', fresh: true });
  const ledger = { entries: new Map(), open: new Map() } as never;
  const poll = { ledger, cursor: null, whole: false, initialized: true, list, get: null };
  expect((await pollThread({ ...poll, missing: ['1', '2'] })).missing).toEqual(['2']);
  expect((await pollThread({ ...poll, missing: ['2'] })).missing).toEqual(['2']);
});

describe('two edits of one comment within one second', () => {
  const second = '2026-01-01T00:00:10Z';

  async function edited() {
    const thread = new TestThread();
    let current = 'first';
    const revision = (body: string) => ({
      ...{ id: '1', author: { id: '7', login: 'alice' }, createdAt: '2026-01-01T00:00:00Z' },
      ...{ body, updatedAt: second },
    });
    let shown = 'first';
    const source: CommentSource = {
      listComments: async () => ({
        ...{ comments: [revision(shown)], complete: true, cursor: null, unchanged: false },
      }),
      getComment: async () => revision(current),
    };
    const manager = new CommentDetectionManager(source, {
      ...{ monotonicNow: () => thread.clock, now: () => new Date(thread.clock) },
      ...{ sleep: async (milliseconds: number) => thread.pass(milliseconds), botUsername: 'agent' },
      ...{ timeoutSignal: () => new AbortController().signal, cleanText: (text: string) => text },
      authorityOf: () => 'trusted',
    });
    await manager.initialize();
    const check = async (texts: { readonly shown: string; readonly current: string }) => {
      ({ shown, current } = texts);
      thread.pass(120_000);
      const { edited: found } = await manager.checkForChanges();
      return found.map(({ body }) => body);
    };
    return check;
  }

  it('reports no revision that was replaced, when a listing shows it late', async () => {
    const check = await edited();
    expect(await check({ shown: 'third', current: 'third' })).toEqual(['third']);
    expect(await check({ shown: 'second', current: 'third' })).toEqual([]);
    expect(await check({ shown: 'third', current: 'third' })).toEqual([]);
    expect(await check({ shown: 'fourth', current: 'fourth' })).toEqual(['fourth']);
  });
});
