// @module-tag full

import { repositoryChecks } from '@agent/rehearsal';
import type { ProxyHandler } from '@agent/simulators/trials';
import { afterEach, describe, expect, it } from 'vitest';
import { en } from '../../src/rehearse/texts.en.ts';
import { startEmulateFixture } from './emulate-fixture.ts';
import { type PlatformFixture, startRehearsalFixture } from './rehearsal-fixture.ts';

let fixture: PlatformFixture | null = null;
afterEach(async () => {
  await fixture?.close();
  fixture = null;
});

const notFound = {
  status: 404,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: Buffer.from(JSON.stringify({ message: 'Not Found' })),
};

const missing =
  (method: string, path: RegExp): ProxyHandler =>
  async (exchange) =>
    exchange.method === method && path.test(exchange.path) ? notFound : exchange.forward();

describe('agent-daemon rehearse on emulate', () => {
  // emulate 0.12.2 has no GraphQL, git, reactions, ETag, and no list of all comments of a repository.
  it('reports what the server lacks, and starts no run', async () => {
    const at = await startEmulateFixture();
    fixture = at;
    const { code, output } = await at.rehearse();
    const statuses = Object.fromEntries(at.checks.map(({ name, status }) => [name, status]));
    expect(statuses, output).toEqual({
      ...Object.fromEntries(repositoryChecks.map((name) => [name, 'skipped'])),
      ...{ access: 'not-supported', model: 'passed', person: 'passed', comment: 'not-supported' },
      ...{ single: 'passed', labels: 'passed', start: 'failed' },
      ...{ 'fresh-list': 'passed', reaction: 'not-supported', pages: 'passed', conditional: 'not-supported' },
      ...{ 'rate-limit': 'passed', clock: 'passed', 'clean-up': 'not-supported' },
    });
    expect(code).toBe(1);
    expect(at.checkOf('access')).toMatchObject({
      text: expect.stringMatching(/GraphQL \(HTTP 404\).*git does not/),
      fix: expect.stringContaining('GraphQL'),
    });
    expect(at.checkOf('start')).toMatchObject({
      text: expect.stringMatching(/no run was started.*GraphQL.*does not list the comments/),
      fix: en.fixesByCause.notStarted,
    });
    expect(at.checkOf('pause')?.text).toBe(en.noRun);
  });

  it('removes what it created', async () => {
    const at = await startEmulateFixture();
    fixture = at;
    await at.rehearse();
    expect(await at.ask('/issues?state=open')).toEqual([]);
    expect(await at.ask('/issues/1/comments')).toEqual([]);
    expect(JSON.stringify(await at.ask('/labels'))).not.toContain('rehearsal');
    expect(await at.listFiles()).toEqual(['agent.config.yaml', 'rehearsal.json']);
  });
});

describe('agent-daemon rehearse', () => {
  it('starts no run on a server without the list of all comments', async () => {
    fixture = await startRehearsalFixture({
      forge: 'github',
      handle: missing('GET', /\/repos\/acme\/shop\/issues\/comments\?/),
    });
    const { code, output } = await fixture.rehearse();
    expect(fixture.statusOf('access'), output).toBe('passed');
    expect(fixture.checkOf('comment')).toMatchObject({ status: 'not-supported', text: en.commentsNotListed });
    expect(fixture.checkOf('start')?.text).toBe(en.notStarted(en.commentsNotListed));
    expect(fixture.statusOf('conditional')).toBe('passed');
    expect(code).toBe(1);
  });

  it('writes rehearsal.json if the agent cannot comment on a server without the list of all comments', async () => {
    fixture = await startRehearsalFixture({
      forge: 'github',
      handle: async (exchange) => {
        if (exchange.method === 'POST' && /\/issues\/\d+\/comments$/.test(exchange.path))
          return { ...notFound, status: 403 };
        return missing('GET', /\/repos\/acme\/shop\/issues\/comments\?/)(exchange);
      },
    });
    const { code, output } = await fixture.rehearse();
    expect(code, output).toBe(1);
    expect(fixture.checkOf('fresh-list')).toMatchObject({
      ...{ status: 'failed', text: expect.stringContaining('403'), fix: en.fixes.labels },
    });
    expect(await fixture.listFiles()).toContain('rehearsal.json');
  });

  it('reports a server without reactions as not supported, and continues', { timeout: 300_000 }, async () => {
    fixture = await startRehearsalFixture({ forge: 'github', handle: missing('GET', /\/reactions\?/) });
    const ended = new AbortController();
    const onResult = ({ name }: { readonly name: string }) => {
      if (name === 'edit') ended.abort(new Error('seen'));
    };
    const { output } = await fixture.rehearse({}, { signal: ended.signal, onResult });
    expect(fixture.checkOf('reaction'), output).toMatchObject({
      ...{ status: 'not-supported', text: en.noReactions },
    });
    expect(fixture.statusOf('edit')).toBe('passed');
  });
});
