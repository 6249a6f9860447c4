import { describe, expect, it } from 'vitest';
import { interposeFetch } from '../../test/fixtures/interposed-fetch.ts';
import { onSimulator, type SimulatorFixture } from '../../test/fixtures/simulator-fixture.ts';
import type { Platform } from '../platform.ts';
import type { RepositoryChanges } from '../ports.ts';
import { createRepositoryFeed, fromRepositoryPoll } from '../sources/repository-feed.ts';
import { contractWorld } from '../testing/index.ts';

const { repository } = contractWorld;

function openChanges({ key }: SimulatorFixture, platform: Platform): RepositoryChanges {
  const changes = platform.openChanges?.(key);
  if (changes === undefined) throw new Error('GitHub lists what changes in a repository');
  return changes;
}

function fill({ simulator }: SimulatorFixture, count: number, number = 1): string[] {
  return Array.from({ length: count }, (_, index) =>
    String(simulator.comment({ repo: repository, number, author: 'alice', body: `comment ${index}` }).id),
  );
}

const idsOf = async ({ listChanges }: RepositoryChanges) =>
  (await listChanges()).changes.map(({ comment }) => comment?.id);

async function statusesOf({ simulator }: SimulatorFixture, work: () => Promise<unknown>): Promise<number[]> {
  const asked = simulator.requests.length;
  await work();
  return simulator.requests.slice(asked).map(({ status }) => status);
}

describe("GitHub's changes of a repository", () => {
  it('a quiet look is one request and free, a change costs one that counts [CD-57] [CD-59] [B1]', () =>
    onSimulator(async (fixture) => {
      fill(fixture, 3);
      const changes = openChanges(fixture, fixture.platform);
      const look = () => statusesOf(fixture, changes.listChanges);
      expect([await look(), await look()]).toEqual([[200], [200]]);
      for (let second = 0; second < 5; second += 1) {
        await fixture.people.passTime(10);
        expect(await look()).toEqual([304]);
      }
      fill(fixture, 1);
      expect([await look(), await look(), await look()]).toEqual([[200], [304], [304]]);
    }));

  it('asks from an hour that little follows, sorted by time [CD-59] [B1]', () =>
    onSimulator(async (fixture) => {
      fill(fixture, 1);
      const changes = openChanges(fixture, fixture.platform);
      await changes.listChanges();
      await changes.listChanges();
      const address = fixture.simulator.requests.at(-1)?.path;
      expect(address).toBe(
        `/repos/${repository}/issues/comments?sort=updated&direction=asc&per_page=100&since=2026-01-02T03%3A00%3A00Z`,
      );
    }));

  it('shows hundreds of comments of one second, whatever second they begin in [CD-61] [NX-2]', () =>
    onSimulator(async (fixture) => {
      const changes = openChanges(fixture, fixture.platform);
      await changes.listChanges();
      const ids = fill(fixture, 30);
      await fixture.people.passTime(1);
      ids.push(...fill(fixture, 330));
      await fixture.people.passTime(1);
      ids.push(...fill(fixture, 30));
      expect(await idsOf(changes)).toEqual(ids);
    }));

  it('skips nothing while comments are edited and deleted between pages, inside a second and across [NX-2]', () =>
    onSimulator(async (fixture) => {
      const { people, key } = fixture;
      const hand = interposeFetch();
      const changes = openChanges(fixture, fixture.connect({ fetch: hand.fetch }));
      await changes.listChanges();
      const early = [...fill(fixture, 60)];
      await people.passTime(1);
      const burst = fill(fixture, 350);
      await people.passTime(1);
      const gone = [early[0], burst[5], burst[150]];
      hand.afterNext(/sort=updated/u, () => people.deleteComment(key, early[0] ?? ''));
      hand.afterNext(/page=2/u, () => people.deleteComment(key, burst[5] ?? ''));
      hand.afterNext(/page=3/u, () => people.deleteComment(key, burst[150] ?? ''));
      hand.afterNext(/page=4/u, () => people.editComment(key, burst[10] ?? '', 'edited'));
      const shown = new Set([...(await idsOf(changes)), ...(await idsOf(changes))]);
      const standing = [...early, ...burst].filter((id) => !gone.includes(id));
      expect(standing.filter((id) => !shown.has(id))).toEqual([]);
    }));

  it('keeps its place where a page fails in the middle [B1] [NX-2]', () =>
    onSimulator(async (fixture) => {
      const changes = openChanges(fixture, fixture.platform);
      await changes.listChanges();
      const ids = fill(fixture, 250);
      fixture.simulator.fail({ path: /page=2/, kind: 'server-error' });
      await expect(changes.listChanges()).rejects.toMatchObject({ code: 'unavailable' });
      expect(await idsOf(changes)).toEqual(ids);
    }));

  it('settles to one free request after a burst [CD-57]', () =>
    onSimulator(async (fixture) => {
      const changes = openChanges(fixture, fixture.platform);
      await changes.listChanges();
      fill(fixture, 350);
      for (let look = 0; look < 3; look += 1) {
        await changes.listChanges();
        await fixture.people.passTime(60);
      }
      await fixture.people.passTime(120);
      expect(await statusesOf(fixture, changes.listChanges)).toEqual([304]);
      const ids = fill(fixture, 1);
      expect(await idsOf(changes)).toEqual(expect.arrayContaining(ids));
    }));

  it('one poll serves hundreds of tasks, each of which hears its own thread and no other [CD-57] [CD-60] [NX-2]', () =>
    onSimulator(async (fixture) => {
      const { simulator, platform, key, people } = fixture;
      const keys = [key];
      while (keys.length < 300) keys.push(await people.openIssue({ author: 'alice', title: 'task' }));
      const feed = createRepositoryFeed(openChanges(fixture, platform), { intervalMs: 0 });
      const tasks = keys.map((one) => fromRepositoryPoll(feed, platform.openThread(one)));
      const look = (cursors: readonly (string | null)[]) =>
        Promise.all(tasks.map((task, index) => task.listComments({ since: cursors[index] ?? null })));
      const first = await look([]);
      await people.passTime(10);
      fill(fixture, 1, 7);
      const asked = simulator.requests.length;
      const second = await look(first.map(({ cursor }) => cursor));
      // The thread was empty: its first comment is told by a listing of its own, which is complete.
      expect(simulator.requests.slice(asked).map(({ path }) => path.split('?')[0])).toEqual([
        `/repos/${repository}/issues/comments`,
        `/repos/${repository}/issues/7/comments`,
      ]);
      expect(second.flatMap(({ comments }, index) => (comments.length > 0 ? [index + 1] : []))).toEqual([7]);
      await people.passTime(10);
      fill(fixture, 1, 7);
      const third = await look(second.map(({ cursor }) => cursor));
      expect(third[6]?.comments).toHaveLength(2);
      expect(simulator.requests).toHaveLength(asked + 3);
    }));

  it('shows what was said between the beginning of the poll and the first look at a thread [NX-2]', () =>
    onSimulator(async (fixture) => {
      const { platform, people, key } = fixture;
      fill(fixture, 1);
      const feed = createRepositoryFeed(openChanges(fixture, platform), { intervalMs: 0 });
      const other = fromRepositoryPoll(feed, platform.openThread(key));
      await other.listComments({ since: null });
      const hand = interposeFetch();
      const late = fromRepositoryPoll(feed, fixture.connect({ fetch: hand.fetch }).openThread(key));
      await people.passTime(100);
      hand.afterNext(/issues\/1\/comments/u, () => void fill(fixture, 1));
      const first = await late.listComments({ since: null });
      expect(first.comments).toHaveLength(1);
      const second = await late.listComments({ since: first.cursor });
      expect(second.comments).toHaveLength(2);
    }));
});
