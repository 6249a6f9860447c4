import { describe, expect, it } from 'vitest';
import { type GitLabFixture, onGitLab } from '../../test/fixtures/gitlab-fixture.ts';
import type { RepositoryChanges } from '../ports.ts';
import { createRepositoryFeed, fromRepositoryPoll } from '../sources/repository-feed.ts';
import { toThreadName } from '../task-key.ts';

function openChanges({ platform, key }: GitLabFixture): RepositoryChanges {
  const changes = platform.openChanges?.(key);
  if (changes === undefined) throw new Error('GitLab lists what changes in a project');
  return changes;
}

const namesOf = async ({ listChanges }: RepositoryChanges) =>
  (await listChanges()).changes.map(({ thread }) => thread);

describe("GitLab's changes of a project", () => {
  it('call the threads that changed, issues and merge requests apart [CD-57]', () =>
    onGitLab(async (fixture) => {
      const { people, key } = fixture;
      const merge = await people.openPullRequest({ author: 'alice', title: 'change', headBranch: 'change' });
      const changes = openChanges(fixture);
      await changes.listChanges();
      await people.passTime(300);
      await people.comment(merge, { author: 'bob', body: 'look' });
      expect(await namesOf(changes)).toContain(toThreadName(merge));
      await people.passTime(300);
      await people.comment(key, { author: 'bob', body: 'look' });
      expect(await namesOf(changes)).toContain(toThreadName(key));
    }));

  it('call a thread as long as notes may have come without a sign, and then no more [NX-2]', () =>
    onGitLab(async (fixture) => {
      const { people, key } = fixture;
      const changes = openChanges(fixture);
      await changes.listChanges();
      await people.passTime(300);
      await people.comment(key, { author: 'bob', body: 'first' });
      const called: number[] = [];
      for (let second = 0; second < 200; second += 10) {
        if ((await changes.listChanges()).changes.length > 0) called.push(second);
        await people.passTime(10);
      }
      expect(called).toEqual([0, 10, 20, 30, 40, 50, 60, 70, 80]);
    }));

  it('let no note go unheard that came within a minute of another [NX-2]', () =>
    onGitLab(async (fixture) => {
      const { platform, people, key } = fixture;
      await people.comment(key, { author: 'alice', body: 'zero' });
      const feed = createRepositoryFeed(openChanges(fixture), { intervalMs: 0 });
      const source = fromRepositoryPoll(feed, platform.openThread(key));
      let { cursor } = await source.listComments({ since: null });
      const heard = new Set<string>();
      for (const [seconds, body] of [
        [100, 'one'],
        [30, 'two'],
        [29, 'three'],
        [240, 'four'],
      ] as const) {
        await people.passTime(seconds);
        await people.comment(key, { author: 'bob', body });
        const listing = await source.listComments({ since: cursor });
        for (const comment of listing.comments) heard.add(comment.body);
        cursor = listing.cursor;
      }
      expect([...heard]).toEqual(expect.arrayContaining(['one', 'two', 'three', 'four']));
    }));

  it('cost two requests a look for all threads together while nothing happens [CD-57]', () =>
    onGitLab(async (fixture) => {
      const { simulator, platform, people, key } = fixture;
      const keys = [key];
      while (keys.length < 30) keys.push(await people.openIssue({ author: 'alice', title: 'task' }));
      for (const one of keys) await people.comment(one, { author: 'alice', body: 'first' });
      const feed = createRepositoryFeed(openChanges(fixture), { intervalMs: 0 });
      const tasks = keys.map((one) => fromRepositoryPoll(feed, platform.openThread(one)));
      const cursors: (string | null)[] = [];
      const look = async () => {
        const looks = tasks.map((task, index) => task.listComments({ since: cursors[index] ?? null }));
        (await Promise.all(looks)).forEach(({ cursor }, index) => {
          cursors[index] = cursor;
        });
      };
      for (let round = 0; round < 3; round += 1) {
        await look();
        await people.passTime(80);
      }
      const asked = simulator.requests.length;
      await look();
      expect(simulator.requests.length - asked).toBe(2);
    }));
});
