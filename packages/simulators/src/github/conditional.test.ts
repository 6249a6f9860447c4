import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { repository, repositoryName, startTrial, type Trial } from './trial.ts';

let trial: Trial;

beforeEach(async () => {
  trial = await startTrial();
  trial.simulator.openIssue({ repo: repositoryName, author: 'alice', title: 'Talk' });
});

afterEach(() => trial.close());

const comments = (token = 'agent-token', headers: Record<string, string> = {}) =>
  trial.octokit(token).rest.issues.listComments({ ...repository, issue_number: 1, headers });
const remaining = (headers: object) => Number((headers as Record<string, string>)['x-ratelimit-remaining']);

describe('conditional requests to the simulated GitHub', () => {
  it('answers 304 without a body while nothing changed, and the whole answer when something did', async () => {
    const { headers } = await comments();
    const etag = headers.etag ?? '';
    expect(etag).toMatch(/^W\/"[0-9a-f]{64}"$/);
    await expect(comments('agent-token', { 'if-none-match': etag })).rejects.toMatchObject({ status: 304 });
    trial.simulator.comment({ repo: repositoryName, number: 1, author: 'alice', body: 'New' });
    const after = await comments('agent-token', { 'if-none-match': etag });
    expect(after.data).toHaveLength(1);
    expect(after.headers.etag).not.toBe(etag);
  });

  it('does not count a 304 against the primary limit', async () => {
    const first = await comments();
    const response = await fetch(`${trial.simulator.url}/repos/owner/demo/issues/1/comments`, {
      headers: { authorization: 'token agent-token', 'if-none-match': first.headers.etag ?? '' },
    });
    expect([response.status, await response.text()]).toEqual([304, '']);
    expect(response.headers.get('content-type')).toBeNull();
    expect(response.headers.get('etag')).toBe(first.headers.etag);
    expect(Number(response.headers.get('x-ratelimit-remaining'))).toBe(remaining(first.headers));
    expect(remaining((await comments()).headers)).toBe(remaining(first.headers) - 1);
  });

  it('counts a 304 to somebody who does not say who he is', async () => {
    const address = `${trial.simulator.url}/repos/owner/demo/issues/1/comments`;
    const ask = (headers: Record<string, string> = {}) => fetch(address, { headers });
    const { headers } = await ask();
    const again = await ask({ 'if-none-match': headers.get('etag') ?? '' });
    expect(again.status).toBe(304);
    expect(again.headers.get('x-ratelimit-used')).toBe('2');
  });

  it('has another ETag for another token, another address and another media type', async () => {
    const { request } = trial.octokit('agent-token');
    const tags = [
      (await comments()).headers.etag,
      (await comments('alice-token')).headers.etag,
      (await request('GET /repos/owner/demo/issues/1/comments?per_page=100')).headers.etag,
      (
        await request('GET /repos/owner/demo/issues/1/comments', {
          headers: { accept: 'application/vnd.github.raw+json' },
        })
      ).headers.etag,
    ];
    expect(new Set(tags).size).toBe(4);
    expect((await comments()).headers.etag).toBe(tags[0]);
  });

  it('takes the weak and the strong form, a list, and nothing without quotes', async () => {
    const etag = (await comments()).headers.etag ?? '';
    const status = async (tag: string) => {
      const response = await fetch(`${trial.simulator.url}/repos/owner/demo/issues/1/comments`, {
        headers: {
          authorization: 'token agent-token',
          accept: 'application/vnd.github.v3+json',
          'if-none-match': tag,
        },
      });
      return response.status;
    };
    expect(await status(etag.replace('W/', ''))).toBe(304);
    expect(await status(`"other", ${etag}`)).toBe(304);
    expect(await status(etag.replaceAll(/W\/|"/g, ''))).toBe(200);
  });

  it('has no ETag for searches', async () => {
    const { headers } = await trial
      .octokit('agent-token')
      .rest.search.issuesAndPullRequests({ q: 'talk is:issue' });
    expect(headers.etag).toBeUndefined();
  });
});
