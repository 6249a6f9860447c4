import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { project, projectApi, startTrial, type Trial } from './trial.ts';

let trial: Trial;

beforeEach(async () => {
  trial = await startTrial({ notesPerMinute: 3 });
  trial.simulator.openIssue({ project, author: 'reporter', title: 'Talk' });
});

afterEach(() => trial.close());

const read = (token = 'agent-token') => trial.rest(projectApi, { token });
const say = (token = 'agent-token') =>
  trial.rest(`${projectApi}/issues/1/notes`, { method: 'POST', token, body: { body: 'x' } });

describe('limits of the simulated GitLab', () => {
  it('are off and not mentioned until they are set', async () => {
    expect((await read()).headers.has('ratelimit-limit')).toBe(false);
  });

  it('say in every answer what is left of the minute', async () => {
    trial.simulator.setRateLimit({ limit: 2000, remaining: 10 });
    trial.pass(15_000);
    const { headers } = await read();
    const names = ['ratelimit-limit', 'ratelimit-observed', 'ratelimit-remaining', 'ratelimit-reset'];
    expect(names.map((name) => headers.get(name))).toEqual([
      '2000',
      '1991',
      '9',
      String(Date.UTC(2024, 4, 1, 0, 1) / 1000),
    ]);
    expect(headers.has('retry-after')).toBe(false);
  });

  it('answer 429 in plain text with Retry-After beyond, until the minute of the clock is over', async () => {
    trial.simulator.setRateLimit({ limit: 2, remaining: 1 });
    trial.pass(15_000);
    expect((await read()).status).toBe(200);
    const refused = await read();
    expect(refused).toMatchObject({ status: 429, body: 'Retry later\n' });
    expect(refused.headers.get('retry-after')).toBe('45');
    expect(refused.headers.get('ratelimit-remaining')).toBe('0');
    expect(refused.headers.get('ratelimit-resettime')).toBe('Wed, 01 May 2024 00:01:00 GMT');
    trial.pass(45_000);
    expect((await read()).headers.get('ratelimit-remaining')).toBe('1');
  });

  it('count each account by itself', async () => {
    trial.simulator.setRateLimit({ limit: 1, remaining: 1 });
    expect((await read()).status).toBe(200);
    expect((await read()).status).toBe(429);
    expect((await read('reporter-token')).status).toBe(200);
  });

  it('hold for new notes by themselves: 429 without a word of how long', async () => {
    for (let index = 0; index < 3; index += 1) expect((await say()).status).toBe(201);
    const refused = await say();
    expect(refused).toMatchObject({
      status: 429,
      body: { message: { error: 'This endpoint has been requested too many times. Try again later.' } },
    });
    expect(refused.headers.has('retry-after')).toBe(false);
    expect((await read()).status).toBe(200);
    expect((await say('reporter-token')).status).toBe(201);
    trial.pass(60_000);
    expect((await say()).status).toBe(201);
    expect(trial.simulator.thread(project, '#1').notes).toHaveLength(5);
  });

  it('show the time of the clock that was given', async () => {
    expect((await read()).headers.get('date')).toBe('Wed, 01 May 2024 00:00:00 GMT');
    trial.pass(1000);
    const { headers } = await read();
    expect(headers.get('date')).toBe('Wed, 01 May 2024 00:00:01 GMT');
    expect(headers.get('x-request-id')).toMatch(/^[0-9A-V]{26}$/);
  });
});
