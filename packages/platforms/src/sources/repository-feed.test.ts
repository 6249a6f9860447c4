import { describe, expect, it } from 'vitest';
import type { Comment, RepositoryListing } from '../model.ts';
import { PlatformError } from '../platform-error.ts';
import { createRepositoryFeed, type RepositoryFeedOptions } from './repository-feed.ts';
import { createRequestBudget } from './request-budget.ts';

const since = '2026-01-01T00:00:00Z';
const comment = (id: string): Comment => ({
  id,
  author: null,
  body: 'text',
  createdAt: since,
  updatedAt: null,
  url: null,
  visibility: 'public',
  subject: null,
});
const nothing: RepositoryListing = { changes: [], since: null, unchanged: true };

/** A feed over a list whose answers come when they are told to. */
function onClock(options: Partial<RepositoryFeedOptions> = {}) {
  const clock = { time: 0 };
  const asked: { readonly at: number; readonly answer: PromiseWithResolvers<RepositoryListing> }[] = [];
  const listChanges = () => {
    const answer = Promise.withResolvers<RepositoryListing>();
    asked.push({ at: clock.time, answer });
    return answer.promise;
  };
  const feed = createRepositoryFeed({ listChanges }, { now: () => clock.time, ...options });
  const answer = (listing: RepositoryListing = nothing) => asked.at(-1)?.answer.resolve(listing);
  return { feed, clock, asked, answer };
}

describe('createRepositoryFeed', () => {
  it('asks once for all who ask at the same time, and once per interval [CD-57] [CD-60]', async () => {
    const { feed, clock, asked, answer } = onClock({ intervalMs: 10_000 });
    const first = Promise.all(Array.from({ length: 500 }, () => feed.poll()));
    answer();
    await first;
    for (clock.time = 1000; clock.time < 10_000; clock.time += 1000) await feed.poll();
    expect(asked).toHaveLength(1);
    clock.time = 10_000;
    const next = Promise.all([feed.poll(), feed.poll()]);
    answer();
    await next;
    expect(asked.map(({ at }) => at)).toEqual([0, 10_000]);
  });

  it('asks again for those who pollUntilSeen, in one request that begins after all of them asked [B21]', async () => {
    const { feed, asked, answer } = onClock();
    const ordinary = feed.poll();
    const fresh = [feed.poll({ fresh: true }), feed.poll({ fresh: true })];
    expect(asked).toHaveLength(1);
    answer();
    await ordinary;
    await expect.poll(() => asked.length).toBe(2);
    const later = feed.poll({ fresh: true });
    answer();
    await Promise.all(fresh);
    await expect.poll(() => asked.length).toBe(3);
    answer();
    await later;
  });

  it('tells all who rely on a look that it failed, and asks again when the interval is over', async () => {
    const { feed, clock, asked, answer } = onClock({ intervalMs: 10_000 });
    const looks = [feed.poll(), feed.poll()];
    asked[0]?.answer.reject(new Error('offline'));
    for (const look of looks) await expect(look).rejects.toThrow('offline');
    clock.time = 9999;
    await expect(feed.poll()).rejects.toThrow('offline');
    clock.time = 10_000;
    const again = feed.poll();
    answer();
    await again;
    expect(asked).toHaveLength(2);
  });

  it('keeps away as long as a rate limit asks for, however much somebody insists [CD-57] [CD-58]', async () => {
    const { feed, clock, asked, answer } = onClock();
    const look = feed.poll();
    asked[0]?.answer.reject(new PlatformError('limited', { code: 'rate-limited', retryAfterMs: 60_000 }));
    await expect(look).rejects.toMatchObject({ code: 'rate-limited' });
    clock.time = 59_999;
    await expect(feed.poll({ fresh: true })).rejects.toMatchObject({ retryAfterMs: 60_000 });
    clock.time = 60_000;
    const again = feed.poll();
    answer();
    await again;
    expect(asked).toHaveLength(2);
  });

  it('lets a caller leave and the others wait on', async () => {
    const { feed, answer } = onClock();
    const controller = new AbortController();
    const leaving = feed.poll({ signal: controller.signal });
    const staying = feed.poll();
    controller.abort(new Error('left'));
    await expect(leaving).rejects.toThrow('left');
    answer();
    await staying;
  });

  it('looks more rarely at a quiet repository, and often again when it wakes [CD-57]', async () => {
    const clock = { time: 0 };
    let change: RepositoryListing = nothing;
    const looks: number[] = [];
    const listChanges = async () => {
      looks.push(clock.time);
      return change;
    };
    const budget = createRequestBudget({ now: () => clock.time });
    const feed = createRepositoryFeed({ listChanges }, { budget, now: () => clock.time });
    const hour = async () => {
      for (const end = clock.time + 3_600_000; clock.time < end; clock.time += 1000) await feed.poll();
    };
    await hour();
    expect(looks.length).toBeLessThan(60);
    expect(looks.slice(0, 6)).toEqual([0, 10_000, 20_000, 30_000, 40_000, 50_000]);
    change = { ...nothing, unchanged: false };
    looks.length = 0;
    await hour();
    expect(looks.length).toBeGreaterThan(350);
    expect(looks.length).toBeLessThanOrEqual(361);
  });

  it('shares out a look by thread once, not once for each of its threads [CD-60]', async () => {
    const { feed, answer } = onClock();
    const mailboxes = Array.from({ length: 200 }, (_, number) => feed.open(`octo/hello#${number}`));
    let read = 0;
    const changes = mailboxes.map(({ thread }, number) => ({
      get thread() {
        read += 1;
        return thread;
      },
      comment: comment(String(number)),
    }));
    const look = feed.poll();
    answer({ changes, since: null, unchanged: false });
    await look;
    expect(mailboxes.map((mailbox) => mailbox.readSince(since).map(({ id }) => id))).toEqual(
      mailboxes.map((_, number) => [String(number)]),
    );
    expect(read).toBeLessThan(1000);
  });
});
