import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { inspect } from 'node:util';
import { createSelfSigned } from '@agent/simulators/tls';
import { describe, expect, it } from 'vitest';
import { onGitLab } from '../../test/fixtures/gitlab-fixture.ts';
import { onServer } from '../../test/fixtures/on-server.ts';
import { rejection } from '../../test/fixtures/rejection.ts';
import { serverTrouble } from '../../test/suites/server-trouble.ts';
import { gitLabWorld } from '../../test/suites/worlds.ts';
import { contractWorld } from '../testing/index.ts';
import { createGitLabPlatform } from './index.ts';

const { repository: project } = contractWorld;
const anyTask = { label: null, assignee: null, state: 'open' } as const;
const connectTo = (baseUrl: string) =>
  createGitLabPlatform({ token: 'glpat-secret', projects: [project], baseUrl, readRetries: 0 });

describe("GitLab's errors", () => {
  serverTrouble(gitLabWorld, connectTo);

  it('a wrong token is unauthorized, says so, and is shown nowhere', () =>
    onGitLab(async ({ connect }) => {
      const error = await rejection(connect({ token: 'glpat-wrong' }).identity.whoAmI());
      expect(error.code).toBe('unauthorized');
      expect(error.message).toMatch(/GitLab refused the token\. Use a valid token/);
      expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('glpat-wrong');
    }));

  it.each(['revoked', 'expired'] as const)('a token that was %s is unauthorized', (reason) =>
    onGitLab(async ({ simulator, platform, key }) => {
      simulator.revokeToken('token-of-agent', reason);
      const error = await rejection(platform.openThread(key).reader.readThread());
      expect(error).toMatchObject({ code: 'unauthorized', message: expect.stringContaining(reason) });
    }),
  );

  it.each(['octo/nothing', 'octo/closed'])('%s is an unknown project, whatever the reason', (path) =>
    onGitLab(async ({ simulator, connect }) => {
      await simulator.addProject({ path: 'octo/closed', files: {} });
      const { tasks, failures } = await connect({ projects: [path, project] }).tasks.listTasks(anyTask);
      expect(tasks).toHaveLength(1);
      const message = `GitLab: unknown project ${path}: check the spelling, or the token lacks access.`;
      expect(failures).toEqual([
        { place: path, error: expect.objectContaining({ scope: 'place', message }) },
      ]);
    }),
  );

  it('a missing scope is named with the project [RL-1]', () =>
    onGitLab(async ({ simulator, connect, key }) => {
      simulator.addToken({ token: 'reads-only', username: 'agent', scopes: ['read_api'] });
      const platform = connect({ token: 'reads-only' });
      await platform.tasks.listTasks(anyTask);
      const adding = platform.openThread(key).labels?.addLabel('x') ?? Promise.resolve();
      const error = await rejection(adding);
      expect(error.code).toBe('forbidden');
      expect(error.message).toContain(`the token lacks scope api on ${project}`);
      expect(error.message).toContain('insufficient_scope');
    }));

  it('a certificate that nobody vouches for is named, with what to do', () =>
    onServer(createTlsServer(createSelfSigned()), async (host) => {
      const error = await rejection(connectTo(`https://${host}`).identity.whoAmI());
      expect(error.code).toBe('unavailable');
      expect(error.message).toMatch(/certificate of https:.* is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\)/);
      expect(error.message).toContain('NODE_EXTRA_CA_CERTS');
    }));

  it('a plain server that is asked by https is not told as a certificate', () =>
    onServer(createServer(), async (host) => {
      const error = await rejection(connectTo(`https://${host}`).identity.whoAmI());
      expect(error.code).toBe('unavailable');
      expect(error.message).toContain('begins with http://');
      expect(error.message).not.toContain('certificate');
    }));

  it('a page where the API should be is told from GitLab', () =>
    onServer(
      createServer((_request, response) => {
        response.setHeader('content-type', 'text/html').end('<!doctype html><title>Sign in</title>');
      }),
      async (host) => {
        const error = await rejection(connectTo(`http://${host}/wrong`).identity.whoAmI());
        expect(error.code).toBe('unavailable');
        expect(error.message).toMatch(/not JSON\. Check that this is a GitLab API address/);
      },
    ));

  it('a redirect to another host is not followed: the token would go along', async () => {
    const seen: unknown[] = [];
    const other = createServer((request, response) => {
      seen.push(request.headers['private-token']);
      response.end('{}');
    });
    await onServer(other, (elsewhere) => {
      const server = createServer((_request, response) => {
        response.writeHead(301, { location: `http://${elsewhere}/api/v4/user` }).end();
      });
      return onServer(server, async (host) => {
        const error = await rejection(connectTo(`http://${host}`).identity.whoAmI());
        expect(error.code).toBe('unavailable');
        expect(error.message).toContain(`redirects to http://${elsewhere}. Set baseUrl to the address`);
      });
    });
    expect(seen).toEqual([]);
  });

  it('redirects that go round in a circle come to an end', () =>
    onServer(
      createServer((_request, response) => {
        response.writeHead(302, { location: '/api/v4/user' }).end();
      }),
      async (host) => {
        const error = await rejection(connectTo(`http://${host}`).identity.whoAmI());
        expect(error).toMatchObject({ code: 'unavailable', message: expect.stringContaining('to the next') });
      },
    ));

  it('a token that a server repeats in its answer is blotted out', () =>
    onServer(
      createServer((request, response) => {
        response.statusCode = 400;
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ message: { token: [`bad ${request.headers['private-token']}`] } }));
      }),
      async (host) => {
        const error = await rejection(connectTo(`http://${host}`).identity.whoAmI());
        expect(error.message).toContain('[REDACTED]');
        expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('glpat-secret');
      },
    ));

  it.each([
    [{ token: '' }, /token is empty/],
    [{ token: 'glpat-\n' }, /line breaks/],
    [{ projects: ['hello'] }, /"hello" is not the path of a project\. Write group\/project/],
    [{ projects: ['https://gitlab.com/a/b'] }, /Write group\/project/],
    [{ baseUrl: 'https://gitlab.com/api/v4/' }, /without \/api\/v4/],
  ])('%j is refused before anything is asked', (wrong, words) => {
    const create = () => createGitLabPlatform({ token: 'glpat-secret', projects: [project], ...wrong });
    expect(create).toThrowError(
      expect.objectContaining({ code: 'invalid', message: expect.stringMatching(words) }),
    );
  });

  it.each([
    { type: 'github_issue', owner: 'o', repo: 'r', number: 1 },
    { type: 'gitlab_issue', projectId: 'octo/hello', issueIid: 1 },
    { type: 'gitlab_issue', projectId: '..', issueIid: 1 },
  ] as const)('the key %j is refused', (key) =>
    onGitLab(async ({ platform }) => {
      expect(() => platform.openThread(key)).toThrowError(expect.objectContaining({ code: 'invalid' }));
    }),
  );
});
