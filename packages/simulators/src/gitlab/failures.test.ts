import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SimulatedRequest } from '../shared/http/exchange.ts';
import { project, projectApi, refusal, startTrial, type Trial } from './trial.ts';

let trial: Trial;
const heard: SimulatedRequest[] = [];
const waited: number[] = [];

beforeEach(async () => {
  heard.length = 0;
  waited.length = 0;
  trial = await startTrial({
    onRequest: (request) => void heard.push({ ...request }),
    sleep: async (milliseconds) => void waited.push(milliseconds),
  });
  trial.simulator.openIssue({ project, author: 'reporter', title: 'Talk' });
});

afterEach(() => trial.close());

const read = () => trial.rest(`${projectApi}/issues/1`);
const say = () => trial.rest(`${projectApi}/issues/1/notes`, { method: 'POST', body: { body: 'x' } });
const said = () => trial.simulator.thread(project, '#1').notes.length;

describe('failures on demand of the simulated GitLab', () => {
  it('come as often as asked, in the order of asking, and then it answers again', async () => {
    trial.simulator.fail({ path: '/issues/1', kind: 'server-error', times: 2 });
    trial.simulator.fail({ path: /issues\/\d$/, kind: 'forbidden' });
    const statuses = [await read(), await read(), await read(), await read()].map(({ status }) => status);
    expect(statuses).toEqual([500, 500, 403, 200]);
  });

  it('come only for the method that was asked for, and without an effect', async () => {
    trial.simulator.fail({ method: 'post', path: '/notes', kind: 'server-error' });
    expect((await read()).status).toBe(200);
    expect(await say()).toMatchObject({ status: 500, body: { message: '500 Internal Server Error' } });
    expect(said()).toBe(0);
  });

  it.each([
    ['unauthorized', 401, { message: '401 Unauthorized' }],
    ['rate-limit', 429, 'Retry later\n'],
    ['endpoint-limit', 429, { message: { error: expect.stringContaining('too many times') } }],
    ['bad-gateway-html', 502, expect.stringContaining('<html>')],
  ] as const)('answers %s with %i', async (kind, status, body) => {
    trial.simulator.fail({ path: '/issues', kind, retryAfterSeconds: 7 });
    const answer = await read();
    expect(answer).toMatchObject({ status, body });
    expect(answer.headers.get('retry-after')).toBe(kind === 'rate-limit' ? '7' : null);
  });

  it('cuts JSON off', async () => {
    trial.simulator.fail({ path: '/issues', kind: 'malformed-json' });
    await expect(read()).rejects.toThrow(SyntaxError);
  });

  it('resets the connection before the work, and after it', async () => {
    trial.simulator.fail({ path: '/notes', kind: 'reset-connection' });
    await expect(say()).rejects.toThrow('fetch failed');
    expect(said()).toBe(0);
    trial.simulator.fail({ path: '/notes', kind: 'reset-after-effect' });
    await expect(say()).rejects.toThrow('fetch failed');
    expect(said()).toBe(1);
    expect(trial.simulator.requests.map(({ status }) => status)).toEqual([0, 0]);
  });

  it('is slow by the clock that it was given', async () => {
    trial.simulator.fail({ path: '/issues', kind: 'slow', delayMs: 5000 });
    expect((await read()).status).toBe(200);
    expect(waited).toEqual([5000]);
  });

  it('are retried by gitbeaker itself: ten times, also what writes', async () => {
    trial.simulator.fail({ method: 'POST', path: '/notes', kind: 'bad-gateway-html', times: 3 });
    await trial.api().IssueNotes.create(project, 1, 'x');
    expect(trial.simulator.requests).toHaveLength(4);
  });

  it('tells of every request when it is done', async () => {
    await say();
    await refusal(trial.api().Issues.show(9, { projectId: project }));
    expect(heard).toEqual([
      { method: 'POST', path: '/api/v4/projects/group%2Fdemo/issues/1/notes', status: 201, login: 'agent' },
      { method: 'GET', path: '/api/v4/projects/group%2Fdemo/issues/9', status: 404, login: 'agent' },
    ]);
  });
});
