import { describe, expect, it } from 'vitest';
import { interposeFetch } from '../../test/fixtures/interposed-fetch.ts';
import { onSimulator, type SimulatorFixture } from '../../test/fixtures/simulator-fixture.ts';
import type { RequestRecord } from '../model.ts';
import { contractWorld } from '../testing/index.ts';

const { repository } = contractWorld;

function fill({ simulator }: SimulatorFixture, count: number): void {
  for (let index = 0; index < count; index += 1) {
    simulator.comment({ repo: repository, number: 1, author: 'alice', body: `comment ${index}` });
  }
}

const statuses = ({ simulator }: SimulatorFixture, from: number) =>
  simulator.requests.slice(from).map(({ status }) => status);

const withoutLast = (response: Response) => {
  const headers = new Headers(response.headers);
  headers.set('link', (headers.get('link') ?? '').replaceAll(/, <[^<>]+>; rel="last"/gu, ''));
  return new Response(response.body, { status: response.status, headers });
};

describe("GitHub's comment source", () => {
  it('asks with the ETag of its own last look, so that an unchanged thread costs nothing [B1] [CD-59]', () =>
    onSimulator(async (fixture) => {
      fill(fixture, 3);
      const records: RequestRecord[] = [];
      const { comments } = fixture.platform.openThread(fixture.key, {
        onRequest: (one) => records.push(one),
      });
      const { cursor } = await comments.listComments({ since: null });
      await comments.listComments({ since: cursor });
      const third = await comments.listComments({ since: cursor });
      expect(third).toEqual({ comments: [], complete: false, cursor, unchanged: true });
      expect(records.map(({ status, counted }) => [status, counted])).toEqual([
        [200, true],
        [200, true],
        [304, false],
      ]);
      expect(records[0]?.route).toBe('GET /repos/{owner}/{repo}/issues/{issue_number}/comments');
    }));

  it("takes its cursor from the platform's times, a minute back, from the beginning of an hour while little follows it [B1] [CD-59]", () =>
    onSimulator(async (fixture) => {
      const { simulator, people, platform, key } = fixture;
      fill(fixture, 1);
      const { comments } = platform.openThread(key);
      const first = await comments.listComments({ since: null });
      expect(first.cursor).toBe('2026-01-02T03:00:00Z');
      await people.passTime(30);
      fill(fixture, 1);
      const second = await comments.listComments({ since: first.cursor });
      expect(second.cursor).toBe(first.cursor);
      expect(simulator.requests.at(-1)?.path).toContain('since=2026-01-02T03%3A00%3A00Z');
      fill(fixture, 40);
      expect((await comments.listComments({ since: first.cursor })).cursor).toBe('2026-01-02T03:03:35Z');
    }));

  it('pays once for each change, however often it looks [B1]', () =>
    onSimulator(async (fixture) => {
      fill(fixture, 3);
      const { comments } = fixture.platform.openThread(fixture.key);
      let { cursor } = await comments.listComments({ since: null });
      const asked = fixture.simulator.requests.length;
      for (let look = 0; look < 100; look += 1) {
        if (look % 40 === 10) fill(fixture, 1);
        await fixture.people.passTime(10);
        ({ cursor } = await comments.listComments({ since: cursor }));
      }
      expect(statuses(fixture, asked).filter((status) => status === 200)).toHaveLength(4);
    }));

  it('asks every page of a long thread whether it changed [B1]', () =>
    onSimulator(async (fixture) => {
      fill(fixture, 250);
      const { comments } = fixture.platform.openThread(fixture.key);
      const first = await comments.listComments({ since: null });
      const asked = fixture.simulator.requests.length;
      expect(await comments.listComments({ since: null })).toMatchObject({
        unchanged: true,
        cursor: first.cursor,
      });
      expect(statuses(fixture, asked)).toEqual([304, 304, 304]);
      const last = first.comments.at(-1);
      await fixture.people.deleteComment(fixture.key, last?.id ?? '');
      const third = await comments.listComments({ since: null });
      expect(third).toMatchObject({ complete: true, unchanged: false });
      expect(third.comments.map(({ id }) => id)).toEqual(first.comments.slice(0, -1).map(({ id }) => id));
    }));

  it('sees the page that appears behind a full one [B1]', () =>
    onSimulator(async (fixture) => {
      fill(fixture, 100);
      const { comments } = fixture.platform.openThread(fixture.key);
      expect((await comments.listComments({ since: null })).comments).toHaveLength(100);
      fill(fixture, 1);
      expect((await comments.listComments({ since: null })).comments).toHaveLength(101);
    }));

  it('lists 5,000 comments', () =>
    onSimulator(async (fixture) => {
      fill(fixture, 5000);
      const { comments } = fixture.platform.openThread(fixture.key);
      const listing = await comments.listComments({ since: null });
      expect(new Set(listing.comments.map(({ id }) => id)).size).toBe(5000);
      const asked = statuses(fixture, 0);
      expect([asked.length, asked.filter((status) => status === 304).length]).toEqual([52, 1]);
    }));

  it.each([
    ['names its last page', 0],
    ['does not name its last page', 1],
  ] as const)(
    'misses no comment that a deletion moves over the edge of a page, where GitHub %s [NX-2]',
    (_, nameless) =>
      onSimulator(async (fixture) => {
        fill(fixture, 450);
        const { people, simulator, key } = fixture;
        const standing = simulator.thread(repository, 1).comments.map(({ id }) => String(id));
        const hand = interposeFetch();
        if (nameless) hand.change(/comments/u, withoutLast);
        const { comments } = fixture.connect({ fetch: hand.fetch }).openThread(key);
        for (const [page, id] of [
          [/per_page=100$/u, standing[0]],
          [/page=4/u, standing[1]],
          [/page=3/u, standing[110]],
        ] as const)
          hand.afterNext(page, () => people.deleteComment(key, id ?? ''));
        const { comments: shown, complete } = await comments.listComments({ since: null });
        const gone = [standing[0], standing[1], standing[110]];
        expect(complete).toBe(true);
        const ids = shown.map(({ id }) => id);
        expect(standing.filter((id) => !gone.includes(id) && !ids.includes(id))).toEqual([]);
        const again = await comments.listComments({ since: null });
        expect((again.unchanged ? shown : again.comments).map(({ id }) => id)).toEqual(
          standing.filter((id) => !gone.includes(id)),
        );
      }),
  );

  it('rejects when any page fails, and tells what is new at the next look [B1]', () =>
    onSimulator(async (fixture) => {
      fill(fixture, 250);
      const { comments } = fixture.platform.openThread(fixture.key);
      fixture.simulator.fail({ path: /page=3/, kind: 'server-error' });
      await expect(comments.listComments({ since: null })).rejects.toMatchObject({ code: 'unavailable' });
      expect((await comments.listComments({ since: null })).comments).toHaveLength(250);
    }));

  it.each([
    ['server-error', 'unavailable'],
    ['reset-connection', 'unavailable'],
    ['secondary-limit', 'rate-limited'],
    ['primary-limit', 'rate-limited'],
  ] as const)('comes back at once after %s: it neither repeats nor waits [B4]', (kind, code) =>
    onSimulator(async (fixture) => {
      fixture.simulator.fail({ path: '/comments', kind, retryAfterSeconds: 2 });
      let time = Date.now();
      const sleep = () => Promise.reject(new Error('waited'));
      const patient = { readRetries: 2, retryDelayMs: 0, sleep, now: () => time };
      const { comments } = fixture.connect(patient).openThread(fixture.key);
      const asked = fixture.simulator.requests.length;
      await expect(comments.listComments({ since: null })).rejects.toMatchObject({ code });
      expect(fixture.simulator.requests.length - asked).toBeLessThanOrEqual(1);
      time += 5_000;
      expect(await comments.listComments({ since: null })).toMatchObject({ complete: true });
    }),
  );

  it('asks for the conversation of a pull request by the issue comments API alone [CD-32] [CD-33] [B15]', () =>
    onSimulator(async ({ simulator, platform, people }) => {
      const key = await people.openPullRequest({ author: 'alice', title: 'change', headBranch: 'change' });
      const id = await people.comment(key, { author: 'bob', body: 'please' });
      const asked = simulator.requests.length;
      const { comments } = await platform.openThread(key).comments.listComments({ since: null });
      expect(comments.map((comment) => comment.id)).toEqual([id]);
      expect(simulator.requests.slice(asked).map(({ path }) => path)).toEqual([
        `/repos/${repository}/issues/2/comments?per_page=100`,
      ]);
    }));
});
