import { describe, expect, it } from 'vitest';
import { type GitLabFixture, onGitLab, referenceOf } from '../../test/fixtures/gitlab-fixture.ts';
import type { RequestRecord } from '../model.ts';
import { contractWorld } from '../testing/index.ts';

const { repository: project } = contractWorld;

function fill({ simulator }: GitLabFixture, count: number): void {
  for (let index = 0; index < count; index += 1) {
    simulator.note({ project, reference: '#1', author: 'alice', body: `note ${index}` });
  }
}

const notePaths = ({ simulator }: GitLabFixture, from: number) =>
  simulator.requests
    .slice(from)
    .map(({ path }) => path)
    .filter((path) => path.includes('/notes'));

describe("GitLab's comment source", () => {
  it('lists oldest first, though GitLab answers newest first unless it is told [CD-31] [CD-34] [B1]', () =>
    onGitLab(async (fixture) => {
      const { platform, people, key, projectId } = fixture;
      const ids: string[] = [];
      for (const body of ['first', 'second', 'latest']) {
        ids.push(await people.comment(key, { author: 'alice', body }));
        await people.passTime(90);
      }
      const source = platform.openThread(key).comments;
      const { comments, cursor } = await source.listComments({ since: null });
      expect(comments.map(({ id }) => id)).toEqual(ids);
      const since = await source.listComments({ since: '2026-01-02T03:04:05Z' });
      expect(since.comments.map(({ body }) => body)).toEqual(['first', 'second', 'latest']);
      expect(since.comments.at(-1)?.body).toBe('latest');
      expect(cursor).toBe('2026-01-02T03:00:00Z');
      expect(notePaths(fixture, 0)[0]).toBe(
        `/api/v4/projects/${projectId}/issues/1/notes?order_by=created_at&sort=asc&page=1&per_page=100`,
      );
    }));

  it('reads the notes of a merge request by their own address [CD-31] [CD-35]', () =>
    onGitLab(async (fixture) => {
      const { platform, people, projectId } = fixture;
      const key = await people.openPullRequest({ author: 'alice', title: 'change', headBranch: 'change' });
      const id = await people.comment(key, { author: 'bob', body: 'please' });
      const { comments } = await platform.openThread(key).comments.listComments({ since: null });
      expect(comments.map((comment) => comment.id)).toEqual([id]);
      expect(notePaths(fixture, 0)[0]).toContain(`/projects/${projectId}/merge_requests/1/notes`);
    }));

  it('leaves notes on lines of code to those who read the reviews [CD-35]', () =>
    onGitLab(async ({ connect, people, simulator }) => {
      const key = await people.openPullRequest({ author: 'alice', title: 'change', headBranch: 'change' });
      await people.comment(key, { author: 'bob', body: 'nice' });
      const place = { project: 'octo/hello', reference: '!1', path: 'new.txt', line: 1 } as const;
      await simulator.reviews.comment({ ...place, author: 'bob', body: 'off by one' });
      const { comments } = connect().openThread(key);
      const listing = await comments.listComments({ since: null });
      expect(listing.comments.map(({ body }) => body)).toEqual(['nice']);
    }));

  it("never shows GitLab's own notes of events, whoever caused them [CD-31]", () =>
    onGitLab(
      async ({ simulator, platform, key }) => {
        simulator.assign(project, '#1', ['agent']);
        simulator.addLabels(project, '#1', ['bug']);
        simulator.editThread(project, '#1', { title: 'Another title' });
        simulator.note({ project, reference: '#1', author: 'alice', body: 'mentioned in !2', system: true });
        expect(simulator.thread(project, '#1').notes.length).toBeGreaterThan(3);
        const { comments } = platform.openThread(key);
        expect(await comments.listComments({ since: null })).toEqual({
          comments: [],
          complete: true,
          cursor: null,
          unchanged: false,
        });
        const since = await comments.listComments({ since: '2026-01-01T00:00:00Z' });
        expect(since).toMatchObject({ comments: [], complete: false, cursor: '2026-01-01T00:00:00Z' });
      },
      { eventsAsNotes: true },
    ));

  it('tells internal notes from public ones', () =>
    onGitLab(async ({ simulator, platform, key }) => {
      simulator.note({ project, reference: '#1', author: 'alice', body: 'for all' });
      simulator.note({ project, reference: '#1', author: 'alice', body: 'for members', internal: true });
      const { comments } = await platform.openThread(key).comments.listComments({ since: null });
      expect(comments.map(({ body, visibility }) => [body, visibility])).toEqual([
        ['for all', 'public'],
        ['for members', 'internal'],
      ]);
    }));

  it('stops at the first page that ends before the cursor [B1] [CD-61]', () =>
    onGitLab(async (fixture) => {
      const { platform, people, key } = fixture;
      fill(fixture, 450);
      await people.passTime(600);
      fill(fixture, 130);
      const { comments } = platform.openThread(key);
      const { cursor } = await comments.listComments({ since: null });
      const asked = fixture.simulator.requests.length;
      const news = await comments.listComments({ since: cursor });
      expect(news).toMatchObject({ complete: false, cursor, unchanged: false });
      expect(news.comments.map(({ body }) => body)).toEqual(
        Array.from({ length: 130 }, (_, index) => `note ${index}`),
      );
      const pages = notePaths(fixture, asked).map((path) => /[?&]page=(\d+)/u.exec(path)?.[1]);
      expect(pages).toEqual(['1', '2', '1']);
    }));

  it('finds the edit of an old note behind newer ones [B1]', () =>
    onGitLab(async (fixture) => {
      const { simulator, platform, people, key } = fixture;
      fill(fixture, 250);
      await people.passTime(600);
      fill(fixture, 1);
      const { comments } = platform.openThread(key);
      const { cursor, comments: before } = await comments.listComments({ since: null });
      await people.passTime(600);
      await people.editComment(key, before[3]?.id ?? '', 'I meant minus');
      const asked = simulator.requests.length;
      const news = await comments.listComments({ since: cursor });
      expect(news.comments.find(({ id }) => id === before[3]?.id)?.body).toBe('I meant minus');
      expect(news.cursor).toBe('2026-01-02T03:05:00Z');
      expect(news.comments).toHaveLength(2);
      expect(simulator.requests.length - asked).toBe(1);
    }));

  it('lists 5,000 notes once each', () =>
    onGitLab(
      async (fixture) => {
        fill(fixture, 5000);
        const listing = await fixture.platform.openThread(fixture.key).comments.listComments({ since: null });
        expect(new Set(listing.comments.map(({ id }) => id)).size).toBe(5000);
        expect(notePaths(fixture, 0)).toHaveLength(51);
      },
      { notesPerMinute: 10_000 },
    ));

  it('rejects when any page fails, and tells everything at the next look [B1]', () =>
    onGitLab(async (fixture) => {
      fill(fixture, 250);
      const { comments } = fixture.platform.openThread(fixture.key);
      fixture.simulator.fail({ path: /[?&]page=3/, kind: 'server-error' });
      await expect(comments.listComments({ since: null })).rejects.toMatchObject({ code: 'unavailable' });
      expect((await comments.listComments({ since: null })).comments).toHaveLength(250);
    }));

  it.each([
    ['server-error', 'unavailable'],
    ['reset-connection', 'unavailable'],
    ['rate-limit', 'rate-limited'],
    ['endpoint-limit', 'rate-limited'],
  ] as const)('comes back at once after %s: it neither repeats nor waits [B4]', (kind, code) =>
    onGitLab(async (fixture) => {
      fixture.simulator.fail({ path: '/notes', kind, retryAfterSeconds: 2 });
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

  it('is refused, not kept waiting, when the requests of the minute are made [CD-57] [B4]', () =>
    onGitLab(async (fixture) => {
      const { comments } = fixture.connect({ maxRequestsPerMinute: 2 }).openThread(fixture.key);
      await comments.listComments({ since: null });
      await comments.listComments({ since: null });
      await expect(comments.listComments({ since: null })).rejects.toMatchObject({
        code: 'rate-limited',
        retryAfterMs: 60_000,
      });
      await fixture.people.passTime(61);
      expect(await comments.listComments({ since: null })).toMatchObject({ complete: true });
    }));

  it('links each note, also where nobody has looked for tasks: the project is asked for once, and accounted for by its route', () =>
    onGitLab(async ({ simulator, platform, people, key }) => {
      const id = await people.comment(key, { author: 'alice', body: 'hello' });
      const records: RequestRecord[] = [];
      const { comments } = platform.openThread(key, { onRequest: (record) => records.push(record) });
      const url = `${simulator.url}/${project}/-/issues/1#note_${id}`;
      expect((await comments.listComments({ since: null })).comments).toMatchObject([{ url }]);
      const asked = (route: string) => ({ method: 'GET', route, status: 200, counted: true });
      const notes = asked('GET /projects/{id}/issues/{issue_iid}/notes');
      expect(records).toEqual([notes, asked('GET /projects/{id}')]);
      expect((await platform.openThread(key).reader.getComment?.(id))?.url).toBe(url);
      await comments.listComments({ since: null });
      expect(records.slice(2)).toEqual([notes]);
    }));

  it('says that a thread was deleted meanwhile', () =>
    onGitLab(async ({ simulator, platform, key }) => {
      const { comments } = platform.openThread(key);
      await comments.listComments({ since: null });
      simulator.deleteThread(project, referenceOf(key));
      await expect(comments.listComments({ since: null })).rejects.toMatchObject({ code: 'not-found' });
    }));
});
