import { describe, expect, it } from 'vitest';
import type { CommentListing } from '../model.ts';
import type { RepositoryChanges } from '../ports.ts';
import { type TaskKey, toThreadName } from '../task-key.ts';
import { createRepositoryFeed } from './repository-feed.ts';
import { createRequestBudget } from './request-budget.ts';
import { restUntilCalled } from './rest-until-called.ts';

const key: TaskKey = { type: 'github_pull_request', owner: 'octo', repo: 'hello', number: 7 };
const minuteMs = 60_000;

function setUp() {
  const world = {
    time: 0,
    asked: 0,
    polls: 0,
    named: false,
    isSettled: true,
    fails: false,
    isListGone: false,
  };
  const now = () => world.time;
  const changes: RepositoryChanges = {
    listChanges: async () => {
      world.polls += 1;
      if (world.fails) throw new Error('away');
      const named = world.named ? [{ thread: toThreadName(key), comment: null }] : [];
      world.named = false;
      return { changes: named, since: null, unchanged: world.polls > 1 && named.length === 0 };
    },
  };
  const budget = createRequestBudget({ now, shortestMs: 1_000, longestMs: 10_000 });
  const feed = createRepositoryFeed(changes, { intervalMs: 0, now });
  const listing: CommentListing = { comments: [], complete: true, cursor: null, unchanged: true };
  const comments = {
    listComments: async () => {
      if (world.isListGone) throw new Error('gone');
      world.asked += 1;
      return listing;
    },
  };
  const open = (isSettled?: () => boolean) =>
    restUntilCalled(feed, { key, comments, isSettled }, { budget, now });
  const passAnd = async (milliseconds: number, source: ReturnType<typeof open>) => {
    world.time += milliseconds;
    const before = world.asked;
    await source.listComments({ since: null });
    return world.asked - before;
  };
  return { world, budget, open, passAnd };
}

describe('restUntilCalled', () => {
  it('is asked at first, when the poll names its thread, and every ten minutes [NX-255]', async () => {
    const { world, open, passAnd } = setUp();
    const source = open();
    expect(await passAnd(0, source)).toBe(1);
    expect(await passAnd(5 * minuteMs, source)).toBe(0);
    world.named = true;
    expect(await passAnd(1_000, source)).toBe(1);
    expect(await passAnd(1_000, source)).toBe(0);
    expect(await passAnd(9 * minuteMs, source)).toBe(0);
    expect(await passAnd(minuteMs, source)).toBe(1);
  });

  it('is asked at the pace of the budget while something is under way, and three minutes longer [NX-255]', async () => {
    const { world, open, passAnd } = setUp();
    const source = open(() => world.isSettled);
    world.isSettled = false;
    await passAnd(0, source);
    for (let polls = 0; polls < 30; polls += 1) expect(await passAnd(minuteMs, source)).toBe(1);
    expect(await passAnd(10, source)).toBe(0);
    world.isSettled = true;
    world.named = true;
    expect(await passAnd(minuteMs, source)).toBe(1);
    for (const minutes of [1, 2]) expect([minutes, await passAnd(minuteMs, source)]).toEqual([minutes, 1]);
    expect(await passAnd(minuteMs, source)).toBe(0);
    expect(await passAnd(5 * minuteMs, source)).toBe(0);
  });

  it('says that it could not ask where the poll or the list fails, and asks then as if it had not [NX-256]', async () => {
    const { world, open, passAnd } = setUp();
    const source = open();
    await passAnd(0, source);
    world.fails = true;
    await expect(passAnd(minuteMs, source)).rejects.toThrow('away');
    world.fails = false;
    world.named = true;
    world.isListGone = true;
    await expect(passAnd(minuteMs, source)).rejects.toThrow('gone');
    world.isListGone = false;
    expect(await passAnd(1_000, source)).toBe(1);
  });

  it('asks where the answer has to be fresh, and for what it was not asked for last [NX-256]', async () => {
    const { world, open } = setUp();
    const source = open();
    await source.listComments({ since: null });
    await source.listComments({ since: null, fresh: true });
    await source.listComments({ since: '2026-01-02T03:04:05Z' });
    expect(world.asked).toBe(3);
  });

  it('takes no part in the limits while it rests: others are asked as often as without it [NX-255]', async () => {
    const { world, budget, open, passAnd } = setUp();
    const alone = budget.open().intervalMs(0);
    for (let count = 0; count < 5_000; count += 1) await passAnd(0, open());
    expect(budget.open().intervalMs(0)).toBe(alone);
    const busy = Array.from({ length: 5_000 }, () => open(() => false));
    for (const source of busy) await passAnd(0, source);
    expect(budget.open().intervalMs(0)).toBeGreaterThan(alone);
    for (const { close } of busy) close();
    expect(budget.open().intervalMs(0)).toBe(alone);
    expect(world.asked).toBe(10_000);
  });
});
