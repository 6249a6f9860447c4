import { createServer } from 'node:http';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { onServer } from '../../test/fixtures/on-server.ts';
import { rejection } from '../../test/fixtures/rejection.ts';
import { onSimulator } from '../../test/fixtures/simulator-fixture.ts';
import { contractWorld } from '../testing/index.ts';
import { createGitHubPlatform } from './index.ts';

const { repository } = contractWorld;
const anyTask = { label: null, assignee: null, state: 'open' } as const;

describe("GitHub's errors", () => {
  it('a wrong token is unauthorized, says so, and is shown nowhere', () =>
    onSimulator(async ({ connect }) => {
      const error = await rejection(connect({ token: 'ghp_wrong' }).identity.whoAmI());
      expect(error.code).toBe('unauthorized');
      expect(error.message).toMatch(/refused the token\. Give one that is valid/);
      expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('ghp_wrong');
    }));

  it('an unknown repository is not found, by name', () =>
    onSimulator(async ({ connect }) => {
      const error = await rejection(connect({ repositories: ['octo/nothing'] }).tasks.listTasks(anyTask));
      expect(error).toMatchObject({ code: 'not-found', message: expect.stringContaining('octo/nothing') });
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

  it.each([
    ['server-error', /GitHub could not answer; ask again later/],
    ['bad-gateway-html', /GitHub said 502/],
    ['malformed-json', /answered something that is not JSON/],
    ['reset-connection', /could not be reached/],
  ] as const)('%s is unavailable', (kind, words) =>
    onSimulator(async ({ simulator, platform, key }) => {
      simulator.fail({ path: '/issues/1', kind });
      const error = await rejection(platform.openThread(key).reader.readThread());
      expect(error.code).toBe('unavailable');
      expect(error.message).toMatch(words);
      expect(error.message).not.toMatch(/<html|<body/);
      expect(error.message).toContain(`read ${repository}#1`);
    }),
  );

  it('a slow answer is given up after the timeout', () =>
    onSimulator(async ({ simulator, connect, key }) => {
      simulator.fail({ path: '/issues/1', kind: 'slow', delayMs: 5000 });
      const error = await rejection(connect({ timeoutMs: 50 }).openThread(key).reader.readThread());
      expect(error).toMatchObject({ code: 'unavailable', message: expect.stringContaining('within 50 ms') });
    }));

  it("a caller who has had enough is let go at once, with the signal's reason", () =>
    onSimulator(async ({ simulator, connect, key }) => {
      simulator.fail({ path: '/issues/1', kind: 'slow', delayMs: 5000 });
      const reason = new Error('shutting down');
      const controller = new AbortController();
      const patient = connect({ readRetries: 2 }).openThread(key, { onRequest: () => undefined });
      const reading = patient.reader.readThread({ signal: controller.signal });
      setTimeout(() => controller.abort(reason), 20);
      await expect(reading).rejects.toBe(reason);
    }));

  it('an address where nobody listens is unavailable, by address', async () => {
    const error = await rejection(connectTo('http://127.0.0.1:9').identity.whoAmI());
    expect(error.code).toBe('unavailable');
    expect(error.message).toContain('http://127.0.0.1:9');
  });

  it('a server that is no GitHub is told from one', () =>
    onServer(
      createServer((_request, response) => {
        response.setHeader('content-type', 'application/json').end('{"hello":"world"}');
      }),
      async (host) => {
        const error = await rejection(connectTo(`http://${host}`).identity.whoAmI());
        expect(error.code).toBe('unavailable');
        expect(error.message).toMatch(/not what GitHub answers .*baseUrl/);
      },
    ));

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
    [{ baseUrl: 'github.com' }, /baseUrl must be an http\(s\) address/],
    [{ baseUrl: 'https://me:pass@github.com' }, /without user and password/],
  ])('%j is refused before anything is asked', (wrong, words) => {
    const create = () => createGitHubPlatform({ token: 'ghp_secret', repositories: [repository], ...wrong });
    expect(create).toThrowError(
      expect.objectContaining({ code: 'invalid', message: expect.stringMatching(words) }),
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
