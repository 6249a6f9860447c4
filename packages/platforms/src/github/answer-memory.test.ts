import { describe, expect, it } from 'vitest';
import { onSimulator, type SimulatorFixture } from '../../test/fixtures/simulator-fixture.ts';
import { contractWorld } from '../testing/index.ts';
import { withAnswerMemory } from './answer-memory.ts';
import { createGitHubClient } from './github-client.ts';
import { toGitHubSettings } from './github-options.ts';
import { issueSchema } from './github-schemas.ts';

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
      const labelled = (await listTasks(query)).tasks.filter(({ labels }) => labels.includes('urgent'));
      expect(labelled.map(({ number }) => number)).toEqual([150]);
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
