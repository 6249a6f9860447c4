import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRateLimits, documentedSecondaryLimits } from './http/rate-limits.ts';
import { repository, repositoryName, startTrial, type Trial } from './trial.ts';

let trial: Trial;
const minute = 60_000;

beforeEach(async () => {
  trial = await startTrial();
  trial.simulator.openIssue({ repo: repositoryName, author: 'alice', title: 'Talk' });
});

afterEach(() => trial.close());

const read = (token?: string) => trial.octokit(token).rest.repos.get(repository);
const say = (token: string) =>
  trial.octokit(token).rest.issues.createComment({ ...repository, issue_number: 1, body: 'x' });
const times = async (count: number, act: () => Promise<unknown>) => {
  for (let index = 0; index < count; index += 1) await act();
};

describe('the primary limit of the simulated GitHub', () => {
  it('shows in every answer what is left, when it is back, and of what', async () => {
    const { headers } = await read('agent-token');
    expect(headers).toMatchObject({
      'x-ratelimit-limit': '5000',
      'x-ratelimit-remaining': '4999',
      'x-ratelimit-used': '1',
      'x-ratelimit-reset': String(Date.UTC(2024, 4, 1, 1) / 1000),
      'x-ratelimit-resource': 'core',
      'x-github-media-type': expect.stringContaining('github.v3'),
      'x-github-request-id': expect.any(String),
      date: 'Wed, 01 May 2024 00:00:00 GMT',
    });
  });

  it('counts each token by itself, and failures of the asker too', async () => {
    await expect(
      trial.octokit('agent-token').rest.issues.get({ ...repository, issue_number: 9 }),
    ).rejects.toMatchObject({ status: 404 });
    expect((await read('agent-token')).headers['x-ratelimit-used']).toBe('2');
    expect((await read('alice-token')).headers['x-ratelimit-used']).toBe('1');
  });

  it('refuses when nothing is left, with 403, until the reset', async () => {
    trial.simulator.setRateLimit({ limit: 5000, remaining: 1 });
    await read('agent-token');
    await expect(read('agent-token')).rejects.toMatchObject({
      status: 403,
      message: expect.stringMatching(/API rate limit exceeded for user ID \d+/),
      response: {
        headers: {
          'x-ratelimit-remaining': '0',
          'x-ratelimit-reset': String(Date.UTC(2024, 4, 1, 1) / 1000),
        },
      },
    });
    expect((await trial.octokit('agent-token').rest.rateLimit.get()).data.rate).toMatchObject({
      limit: 5000,
      remaining: 0,
      used: 5000,
    });
    trial.pass(60 * minute);
    expect((await read('agent-token')).headers['x-ratelimit-remaining']).toBe('4999');
  });

  it('allows 60 requests an hour without a token', async () => {
    await times(60, () => read());
    await expect(read()).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining('API rate limit exceeded for'),
    });
  });

  it('allows 30 searches a minute, counted apart, and 10 for code', async () => {
    const { search } = trial.octokit('agent-token').rest;
    await times(30, () => search.issuesAndPullRequests({ q: 'talk is:issue' }));
    await expect(search.issuesAndPullRequests({ q: 'talk is:issue' })).rejects.toMatchObject({ status: 403 });
    await times(10, () => search.code({ q: 'sum repo:owner/demo' }));
    await expect(search.code({ q: 'sum repo:owner/demo' })).rejects.toMatchObject({ status: 403 });
    expect((await read('agent-token')).headers['x-ratelimit-used']).toBe('1');
  });

  it('lets the rate limit itself be read for nothing', async () => {
    const { rateLimit } = trial.octokit('agent-token').rest;
    await rateLimit.get();
    expect((await rateLimit.get()).data.resources).toMatchObject({
      core: { used: 0 },
      search: { limit: 30 },
      code_search: { limit: 10 },
    });
  });
});

describe('the secondary limits of the simulated GitHub', () => {
  it('allows 900 points a minute, one a reading, and then answers 429 with Retry-After', {
    tags: ['full'],
  }, async () => {
    await times(900, () => read('agent-token'));
    trial.pass(10_000);
    await expect(read('agent-token')).rejects.toMatchObject({
      status: 429,
      message: expect.stringContaining('secondary rate limit'),
      response: { headers: { 'retry-after': '50' } },
    });
    trial.pass(50_000);
    expect((await read('agent-token')).status).toBe(200);
  });

  it('counts five points a writing', async () => {
    const label = () =>
      trial.octokit('agent-token').rest.issues.addLabels({ ...repository, issue_number: 1, labels: ['bug'] });
    await times(180, label);
    await expect(label()).rejects.toMatchObject({ status: 429 });
  });

  it('allows 80 creations of content a minute, and then answers 403 with Retry-After', async () => {
    await times(80, () => say('agent-token'));
    await expect(say('agent-token')).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining('secondary rate limit'),
      response: { headers: { 'retry-after': '60' } },
    });
    expect((await say('alice-token')).status).toBe(201);
    trial.pass(minute);
    expect((await say('agent-token')).status).toBe(201);
  });

  it('allows 500 creations an hour', async () => {
    for (let round = 0; round < 10; round += 1) {
      await times(50, () => say('agent-token'));
      trial.pass(minute);
    }
    await expect(say('agent-token')).rejects.toMatchObject({
      status: 403,
      response: { headers: { 'retry-after': String(50 * 60) } },
    });
  });

  it('allows 100 requests at once', () => {
    const limits = createRateLimits({ now: () => 0, secondary: documentedSecondaryLimits });
    const leave = Array.from({ length: 100 }, () => limits.enter(null));
    expect(() => limits.enter(null)).toThrow('secondary rate limit');
    leave[0]?.();
    expect(() => limits.enter(null)).not.toThrow();
  });

  it('counts a 304 as a point', async () => {
    const etag = (await read('agent-token')).headers.etag ?? '';
    const conditional = () =>
      trial.octokit('agent-token').rest.repos.get({ ...repository, headers: { 'if-none-match': etag } });
    await times(899, () => conditional().catch(() => {}));
    await expect(conditional()).rejects.toMatchObject({ status: 429 });
  });

  it('can be raised for a test of many tasks', async () => {
    const roomy = await startTrial({ secondaryLimits: { contentPerMinute: 1000 } });
    try {
      const { issues } = roomy.octokit('agent-token').rest;
      await times(100, () => issues.create({ ...repository, title: 'x' }));
      expect(roomy.simulator.threads(repositoryName)).toHaveLength(100);
    } finally {
      await roomy.close();
    }
  });
});
