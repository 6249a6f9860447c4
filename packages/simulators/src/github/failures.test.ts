import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SimulatedRequest } from '../shared/http/exchange.ts';
import { repository, repositoryName, startTrial, type Trial } from './trial.ts';

let trial: Trial;
const thread = { ...repository, issue_number: 1 };

beforeEach(async () => {
  trial = await startTrial();
  trial.simulator.openIssue({ repo: repositoryName, author: 'alice', title: 'Talk' });
});

afterEach(() => trial.close());

const read = () => trial.octokit('agent-token').rest.issues.get(thread);
const say = () => trial.octokit('agent-token').rest.issues.createComment({ ...thread, body: 'x' });
const said = () => trial.simulator.thread(repositoryName, 1).comments.length;

describe('failures on demand of the simulated GitHub', () => {
  it('fails as often as asked, in the order of asking, and then answers again', async () => {
    trial.simulator.fail({ path: '/issues/1', kind: 'server-error', times: 2 });
    trial.simulator.fail({ path: '/issues/1', kind: 'bad-gateway-html' });
    await expect(read()).rejects.toMatchObject({ status: 500 });
    await expect(read()).rejects.toMatchObject({ status: 500 });
    await expect(read()).rejects.toMatchObject({
      status: 502,
      message: expect.stringContaining('<h1>502 Bad Gateway</h1>'),
    });
    expect((await read()).status).toBe(200);
  });

  it('fails from the first request on for as long as asked', async () => {
    trial.simulator.fail({ path: '/issues/1', kind: 'server-error', forMs: 60_000 });
    trial.pass(120_000);
    for (let minute = 0; minute < 2; minute += 1) {
      await expect(read()).rejects.toMatchObject({ status: 500 });
      trial.pass(30_000);
    }
    expect((await read()).status).toBe(200);
  });

  it('puts what is counted before what always happens, whichever was asked for first [NX-394]', async () => {
    trial.simulator.fail({ path: '', kind: 'bad-gateway-html', times: Number.POSITIVE_INFINITY });
    trial.simulator.fail({ path: '/issues/1', kind: 'server-error' });
    await expect(read()).rejects.toMatchObject({ status: 500 });
    await expect(read()).rejects.toMatchObject({ status: 502 });
  });

  it('fails only what is meant: by method, by text or by pattern of the path with query', async () => {
    trial.simulator.fail({ method: 'POST', path: '/issues/1', kind: 'server-error' });
    trial.simulator.fail({ path: /per_page=7$/g, kind: 'server-error' });
    expect((await read()).status).toBe(200);
    await expect(say()).rejects.toMatchObject({ status: 500 });
    expect(said()).toBe(0);
    const { listComments } = trial.octokit('agent-token').rest.issues;
    await expect(listComments({ ...thread, per_page: 7 })).rejects.toMatchObject({ status: 500 });
  });

  it('resets the connection, before or after the work is done', async () => {
    trial.simulator.fail({ path: '/comments', kind: 'reset-connection' });
    await expect(say()).rejects.toThrow();
    expect(said()).toBe(0);
    trial.simulator.fail({ path: '/comments', kind: 'reset-after-effect' });
    await expect(say()).rejects.toThrow();
    expect(said()).toBe(1);
    expect(trial.simulator.requests.map(({ status }) => status)).toEqual([0, 0]);
  });

  it('sends JSON that is cut off, with status 200', async () => {
    trial.simulator.fail({ path: '/issues/1', kind: 'malformed-json' });
    const response = await fetch(`${trial.simulator.url}/repos/owner/demo/issues/1`);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'application/json; charset=utf-8',
    ]);
    await expect(response.json()).rejects.toThrow(SyntaxError);
  });

  it('answers slowly: after a wait, or never to who gives up', async () => {
    const waits: number[] = [];
    const slow = await startTrial({
      sleep: async (milliseconds, signal) => {
        waits.push(milliseconds);
        if (milliseconds > 1000) await new Promise((_, reject) => signal.addEventListener('abort', reject));
      },
    });
    try {
      slow.simulator.fail({ path: '/user', kind: 'slow', delayMs: 60 });
      slow.simulator.fail({ path: '/user', kind: 'slow', delayMs: 60_000 });
      expect((await slow.octokit('agent-token').rest.users.getAuthenticated()).status).toBe(200);
      const impatient = fetch(`${slow.simulator.url}/user`, { signal: AbortSignal.timeout(20) });
      await expect(impatient).rejects.toThrow('timeout');
      expect(waits).toEqual([60, 60_000]);
    } finally {
      await slow.close();
    }
  });

  it('plays that a limit is hit or that the token is wrong', async () => {
    trial.simulator.fail({ path: '/issues/1', kind: 'primary-limit', retryAfterSeconds: 90 });
    trial.simulator.fail({ path: '/issues/1', kind: 'secondary-limit', retryAfterSeconds: 7 });
    trial.simulator.fail({ path: '/issues/1', kind: 'secondary-limit', status: 429 });
    trial.simulator.fail({ path: '/issues/1', kind: 'unauthorized' });
    const reset = String(Date.UTC(2024, 4, 1) / 1000 + 90);
    await expect(read()).rejects.toMatchObject({
      status: 403,
      response: { headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset } },
    });
    await expect(read()).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining('secondary rate limit'),
      response: { headers: { 'retry-after': '7' } },
    });
    await expect(read()).rejects.toMatchObject({
      status: 429,
      response: { headers: { 'retry-after': '60' } },
    });
    await expect(read()).rejects.toMatchObject({
      status: 401,
      message: expect.stringContaining('Bad credentials'),
    });
  });
});

describe('what the simulated GitHub remembers of requests', () => {
  it('records method, path with query, status and login, oldest first', async () => {
    await read();
    await trial.octokit().rest.issues.listComments({ ...thread, per_page: 5 });
    await expect(trial.octokit('wrong').rest.issues.get(thread)).rejects.toThrow();
    expect(trial.simulator.requests).toEqual([
      { method: 'GET', path: '/repos/owner/demo/issues/1', status: 200, login: 'agent' },
      { method: 'GET', path: '/repos/owner/demo/issues/1/comments?per_page=5', status: 200, login: null },
      { method: 'GET', path: '/repos/owner/demo/issues/1', status: 401, login: null },
    ]);
  });

  it('tells of a request when its effect is done, and waits before it answers', async () => {
    const seen: unknown[] = [];
    const watched = await startTrial({
      onRequest: async ({ method, status }: SimulatedRequest) => {
        await Promise.resolve();
        seen.push([method, status, watched.simulator.threads(repositoryName).length]);
      },
    });
    try {
      await watched.octokit('agent-token').rest.issues.create({ ...repository, title: 'x' });
      expect(seen).toEqual([['POST', 201, 1]]);
    } finally {
      await watched.close();
    }
  });
});
