import { createServer } from 'node:http';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { onServer } from '../../test/fixtures/on-server.ts';
import { rejection } from '../../test/fixtures/rejection.ts';
import { onSimulator } from '../../test/fixtures/simulator-fixture.ts';
import { serverTrouble } from '../../test/suites/server-trouble.ts';
import { gitHubWorld } from '../../test/suites/worlds.ts';
import { createGitLabPlatform } from '../gitlab/create-gitlab-platform.ts';
import { contractWorld } from '../testing/index.ts';
import { createGitHubPlatform } from './index.ts';

const { repository } = contractWorld;
const anyTask = { label: null, assignee: null, state: 'open' } as const;

describe("GitHub's errors", () => {
  serverTrouble(gitHubWorld, connectTo);

  it('a wrong token is unauthorized, says so, and is shown nowhere', () =>
    onSimulator(async ({ connect }) => {
      const error = await rejection(connect({ token: 'ghp_wrong' }).identity.whoAmI());
      expect(error.code).toBe('unauthorized');
      expect(error.message).toMatch(/refused the token\. Use a valid token/);
      expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('ghp_wrong');
    }));

  it('an unknown repository is not found, by name', () =>
    onSimulator(async ({ connect }) => {
      const { tasks, failures } = await connect({
        repositories: ['octo/nothing', repository],
      }).tasks.listTasks(anyTask);
      expect(tasks).toHaveLength(1);
      const message = expect.stringContaining('octo/nothing');
      expect(failures).toEqual([
        { place: 'octo/nothing', error: expect.objectContaining({ scope: 'place', message }) },
      ]);
    }));

  it('a missing right is named with the repository [RL-1]', () =>
    onSimulator(async ({ simulator, connect, key }) => {
      simulator.addToken({
        token: 'blind',
        login: 'agent',
        permissions: { issues: 'none', pull_requests: 'none' },
      });
      const error = await rejection(
        connect({ token: 'blind' }).openThread(key).labels?.addLabel('x') ?? Promise.resolve(),
      );
      expect(error.code).toBe('forbidden');
      expect(error.message).toContain(`the token lacks issues: write on ${repository}`);
    }));

  it('a token that a server repeats in its answer is blotted out', () =>
    onServer(
      createServer((request, response) => {
        response.statusCode = 422;
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ message: `bad header ${request.headers.authorization}` }));
      }),
      async (host) => {
        const error = await rejection(connectTo(`http://${host}`).identity.whoAmI());
        expect(error.message).toContain('[REDACTED]');
        expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('ghp_secret');
      },
    ));

  it.each([
    [{ token: '' }, /token is empty/],
    [{ token: 'ghp_\n' }, /line breaks/],
    [{ repositories: ['hello'] }, /"hello" is not a repository\. Write owner\/repo/],
  ])('%j is refused before anything is asked [NX-56]', (wrong, words) => {
    const create = () => createGitHubPlatform({ token: 'ghp_secret', repositories: [repository], ...wrong });
    expect(create).toThrowError(
      expect.objectContaining({ code: 'invalid', message: expect.stringMatching(words) }),
    );
  });

  it.each([
    [
      { token: undefined },
      '.token must be a token, such as the value of GITHUB_TOKEN, or a credential; it is undefined.',
    ],
    [
      { token: 5 },
      '.token must be a token, such as the value of GITHUB_TOKEN, or a credential; it is a number.',
    ],
    [{ repositories: undefined }, '.repositories must be an array of the repositories that tasks come from'],
    [{ baseUrl: 'github.com' }, '.baseUrl must be an address that begins with http:// or https://'],
    [{ baseUrl: 'https://me:pass@github.com' }, '.baseUrl must be an address'],
    [{ baseURL: 'https://ghe.example/api/v3' }, '.baseURL is unknown. Did you mean baseUrl?'],
    [{ timeoutMs: '15000' }, '.timeoutMs must be a number of at least 0; it is "15000".'],
    [{ logger: {} }, '.logger must be null or a logger'],
  ])('the option %j is refused by its name [NX-56]', (wrong, message) => {
    const options = { token: 'ghp_secret', repositories: [repository], ...wrong } as never;
    expect(() => createGitHubPlatform(options)).toThrow(TypeError);
    expect(() => createGitHubPlatform(options)).toThrow(`GitHubPlatformOptions${message}`);
    expect(() => createGitHubPlatform(options)).not.toThrow(/pass@/);
  });

  it.each([
    ['GitHub', 'GITHUB_TOKEN', createGitHubPlatform],
    ['GitLab', 'GITLAB_TOKEN', createGitLabPlatform],
  ] as const)('%s made of nothing names the token, such as %s [NX-56]', (name, variable, create) => {
    expect(() => create(undefined as never)).toThrow(
      `${name}PlatformOptions must be an object; it is undefined.`,
    );
    expect(() => create({} as never)).toThrow(
      `${name}PlatformOptions.token must be a token, such as the value of ${variable}`,
    );
  });

  it('a key of another platform, and of another kind of thread, is refused', () =>
    onSimulator(async ({ platform, people }) => {
      expect(() => platform.openThread({ type: 'gitlab_issue', projectId: '1', issueIid: 1 })).toThrowError(
        expect.objectContaining({ code: 'invalid' }),
      );
      await people.openPullRequest({ author: 'alice', title: 'change', headBranch: 'change' });
      const wrong = { type: 'github_issue', owner: 'octo', repo: 'hello', number: 2 } as const;
      const error = await rejection(platform.openThread(wrong).reader.readThread());
      expect(error).toMatchObject({
        code: 'invalid',
        message: expect.stringContaining('github_pull_request:octo:hello:2'),
      });
    }));
});

const connectTo = (baseUrl: string) =>
  createGitHubPlatform({ token: 'ghp_secret', repositories: [repository], baseUrl, readRetries: 0 });
