import { describe, expect, it } from 'vitest';
import { onSimulator, type SimulatorFixture } from '../../test/fixtures/simulator-fixture.ts';
import { findRateLimit } from '../http/github-service.ts';
import { contractWorld } from '../testing/index.ts';
import { withAnswerMemory } from './github-answer-memory.ts';
import { issueSchema } from './github-answers.ts';
import { createGitHubClient } from './github-client.ts';
import { toGitHubSettings } from './github-options.ts';
import { findPageLinks } from './github-pages.ts';

const { repository } = contractWorld;
const query = { label: null, assignee: null, state: 'open' } as const;
const open = ({ simulator }: SimulatorFixture, count: number) => {
  for (let index = 0; index < count; index += 1)
    simulator.openIssue({ repo: repository, author: 'alice', title: `task ${index}` });
};

/** Statuses of the requests that the work made. */
async function statusesOf({ simulator }: SimulatorFixture, work: () => Promise<unknown>): Promise<number[]> {
  const asked = simulator.requests.length;
  await work();
  return simulator.requests.slice(asked).map(({ status }) => status);
}

describe("GitHub's answers that still hold", () => {
  it('an idle poll for tasks is free, page by page, and gives the same tasks [NX-2]', () =>
    onSimulator(async (fixture) => {
      open(fixture, 249);
      const { listTasks } = fixture.platform.tasks;
      const first = await listTasks(query);
      expect(first.tasks).toHaveLength(250);
      expect(await statusesOf(fixture, () => listTasks(query))).toEqual([304, 304, 304]);
      expect(await listTasks(query)).toEqual(first);
    }));

  it('a poll pays for the page that changed and no other', () =>
    onSimulator(async (fixture) => {
      open(fixture, 249);
      const { listTasks } = fixture.platform.tasks;
      await listTasks(query);
      fixture.simulator.addLabels(repository, 150, ['urgent']);
      expect(await statusesOf(fixture, () => listTasks(query))).toEqual([304, 200, 304]);
      const labeled = (await listTasks(query)).tasks.filter(({ labels }) => labels.includes('urgent'));
      expect(labeled.map(({ number }) => number)).toEqual([150]);
    }));

  it('sees the page that appears behind a full one', () =>
    onSimulator(async (fixture) => {
      open(fixture, 99);
      const { listTasks } = fixture.platform.tasks;
      expect((await listTasks(query)).tasks).toHaveLength(100);
      open(fixture, 1);
      expect((await listTasks(query)).tasks).toHaveLength(101);
      fixture.simulator.closeThread(repository, 3);
      expect((await listTasks(query)).tasks).toHaveLength(100);
    }));

  it('polls for different labels do not answer each other', () =>
    onSimulator(async ({ platform, people, key }) => {
      await people.addLabels(key, ['bug']);
      const { listTasks } = platform.tasks;
      for (let poll = 0; poll < 2; poll += 1) {
        expect((await listTasks({ ...query, label: 'bug' })).tasks).toHaveLength(1);
        expect((await listTasks({ ...query, label: 'other' })).tasks).toHaveLength(0);
      }
    }));

  it('a thread that did not change is read again for nothing, pull request and all', () =>
    onSimulator(async (fixture) => {
      const { people, platform } = fixture;
      const key = await people.openPullRequest({ author: 'alice', title: 'change', headBranch: 'change' });
      const { reader } = platform.openThread(key);
      const first = await reader.readThread();
      expect(await statusesOf(fixture, () => reader.readThread())).toEqual([304, 304]);
      expect(await reader.readThread()).toEqual(first);
      await people.addLabels(key, ['bug']);
      expect((await reader.readThread()).labels).toEqual(['bug']);
    }));

  it('what a repository is costs one request for all its threads, while it stays as it is', () =>
    onSimulator(async (fixture) => {
      const { people, platform, key } = fixture;
      const other = await people.openIssue({ author: 'alice', title: 'another' });
      const first = await platform.openThread(key).repository?.describe();
      const again = () => platform.openThread(other).repository?.describe() ?? Promise.reject();
      expect(await statusesOf(fixture, again)).toEqual([304]);
      expect(await again()).toEqual(first);
    }));

  it('is asked for once where nothing changed, however patient the call is', () =>
    onSimulator(async (fixture) => {
      const patient = fixture.connect({ readRetries: 2, retryDelayMs: 0 });
      await patient.tasks.listTasks(query);
      expect(await statusesOf(fixture, () => patient.tasks.listTasks(query))).toEqual([304]);
    }));

  it('keeps only so many answers, those asked for last', () =>
    onSimulator(async (fixture) => {
      open(fixture, 2);
      const settings = {
        token: 'token-of-agent',
        baseUrl: fixture.simulator.url,
        repositories: [repository],
      };
      const client = createGitHubClient(toGitHubSettings(settings));
      const remembering = withAnswerMemory(client, { memory: new Map(), maxAnswers: 2 });
      const read = (number: number) => () =>
        remembering.ask(
          {
            doing: 'read an issue',
            repository,
            permission: 'issues: read',
            route: 'GET /repos/{owner}/{repo}/issues/{issue_number}',
            parameters: { owner: 'octo', repo: 'hello', issue_number: number },
          },
          issueSchema,
        );
      for (const number of [1, 2, 1, 3]) await read(number)();
      expect(await statusesOf(fixture, read(1))).toEqual([304]);
      expect(await statusesOf(fixture, read(2))).toEqual([200]);
    }));
});

const base = 'https://github.example.com/api/v3';
const page = (number: number) => `${base}/repositories/1/issues/2/comments?per_page=100&page=${number}`;

describe('findPageLinks', () => {
  it('finds the pages around a page, and null where there is none', () => {
    const link = `<${page(1)}>; rel="prev", <${page(3)}>; rel="next", <${page(9)}>; rel="last"`;
    expect(findPageLinks(link, base)).toEqual({ previous: page(1), next: page(3), last: page(9) });
    const none = { previous: null, next: null, last: null };
    expect(findPageLinks(`<${page(1)}>; rel="first"`, base)).toEqual(none);
    expect(findPageLinks(undefined, base)).toEqual(none);
  });

  it('takes the token to no other host', () => {
    expect(() => findPageLinks('<https://evil.example/x?page=2>; rel="next"', base)).toThrowError(
      expect.objectContaining({ code: 'unavailable', message: expect.stringContaining('baseUrl') }),
    );
  });
});

const now = 1_700_000_000_000;
const limit = (status: number, headers: Record<string, string>, message = 'Forbidden') =>
  findRateLimit({ status, headers, message }, now);

describe('findRateLimit', () => {
  it('obeys Retry-After first [CD-57]', () => {
    expect(limit(403, { 'retry-after': '30', 'x-ratelimit-remaining': '0' })).toEqual({
      retryAfterMs: 30_000,
    });
    expect(limit(429, { 'retry-after': '0' })).toEqual({ retryAfterMs: 0 });
  });

  it('else waits for the reset when nothing remains, and a second beyond it [CD-57]', () => {
    const reset = String(now / 1000 + 90);
    expect(limit(403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset })).toEqual({
      retryAfterMs: 91_000,
    });
    const past = String(now / 1000 - 90);
    expect(limit(429, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': past })).toEqual({
      retryAfterMs: 1000,
    });
  });

  it('else stays away for a minute [CD-57]', () => {
    expect(limit(429, {})).toEqual({ retryAfterMs: 60_000 });
    expect(limit(403, {}, 'You have exceeded a secondary rate limit.')).toEqual({ retryAfterMs: 60_000 });
    expect(limit(403, { 'retry-after': 'soon' })).toEqual({ retryAfterMs: 60_000 });
  });

  it('sees no limit where a right is missing', () => {
    expect(
      limit(403, { 'x-ratelimit-remaining': '12' }, 'Resource not accessible by integration'),
    ).toBeNull();
    expect(limit(500, { 'retry-after': '3' })).toBeNull();
  });
});
