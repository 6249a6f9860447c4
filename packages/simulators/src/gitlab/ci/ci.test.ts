import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openChange, project, projectApi, refusal, startTrial, type Trial } from '../trial.ts';

let trial: Trial;
const second = 1_000;
const right = 'export const sum = (a, b) => a + b;\n';

beforeEach(async () => {
  trial = await startTrial();
  await trial.simulator.ci.answer(project, ({ read, attempt }) => {
    const isRight = read('src/sum.js')?.includes('a + b') ?? false;
    return [
      {
        name: 'test',
        conclusion: isRight ? 'success' : 'failure',
        queuedMs: 5 * second,
        takesMs: 60 * second,
        log: isRight ? 'ok\n' : 'expected 3\nfound -1\n',
      },
      { name: 'flaky', conclusion: attempt === 1 ? 'timed_out' : 'success' },
      { name: 'lint', conclusion: 'failure', allowFailure: true },
      { name: 'build', kind: 'status', conclusion: 'success', takesMs: 20 * second, summary: 'Fine' },
    ];
  });
  await openChange(trial, 'fix', { files: { 'src/sum.js': 'export const sum = (a, b) => a * b;\n' } });
});
afterEach(() => trial.close());

const api = (token?: string) => trial.api(token);
const head = async () => (await api().MergeRequests.show(project, 1)).sha;
const pipeline = async () => {
  const [found] = await api().Pipelines.all(project, { sha: await head() });
  if (!found) throw new Error('no pipeline ran');
  return found;
};
const statuses = async () => {
  const listed = await api().Commits.allStatuses(project, await head());
  return Object.fromEntries(listed.map(({ name, status }) => [name, status]));
};
const jobs = async (options: object = {}) =>
  api().Jobs.all(project, { pipelineId: (await pipeline()).id, ...options });
const jobOf = async (name: string) => {
  const found = (await jobs()).find((job) => job.name === name);
  if (!found) throw new Error(`no job ${name}`);
  return found;
};

describe('CI of the simulated GitLab', () => {
  it('answers each head with what takes its time', async () => {
    expect(await statuses()).toEqual({ test: 'pending', flaky: 'failed', lint: 'failed', build: 'running' });
    trial.pass(5 * second);
    expect(await statuses()).toMatchObject({ test: 'running' });
    expect(await pipeline()).toMatchObject({ status: 'running', ref: 'fix', source: 'push' });
    trial.pass(60 * second);
    expect(await statuses()).toEqual({ test: 'failed', flaky: 'failed', lint: 'failed', build: 'success' });
    const whole = await api().MergeRequests.show(project, 1);
    expect(whole.head_pipeline).toMatchObject({ id: (await pipeline()).id, status: 'failed' });
    const push = { project, branch: 'fix', author: 'agent', files: { 'src/sum.js': right } };
    const sha = await trial.simulator.push(push);
    expect(await statuses()).toMatchObject({ test: 'pending' });
    trial.pass(65 * second);
    expect(await statuses()).toMatchObject({ test: 'success' });
    expect(trial.simulator.ci.checks(project, sha)).toEqual([
      { name: 'test', state: 'success' },
      { name: 'flaky', state: 'failure' },
      { name: 'lint', state: 'success' },
      { name: 'build', state: 'success' },
    ]);
    const shown = await api().MergeRequests.allPipelines(project, 1);
    expect(shown.map((one) => one.sha)).toEqual([sha, expect.not.stringContaining(sha)]);
  });

  it('keeps what each job printed, and says why it failed', async () => {
    const test = await jobOf('test');
    expect(await api().Jobs.showLog(project, test.id)).toBe('');
    trial.pass(65 * second);
    expect(await api().Jobs.showLog(project, test.id)).toBe('expected 3\nfound -1\n');
    expect(await jobOf('test')).toMatchObject({
      status: 'failed',
      failure_reason: 'script_failure',
      duration: 60,
      queued_duration: 5,
      allow_failure: false,
      commit: { id: await head() },
    });
    expect(await jobOf('flaky')).toMatchObject({ failure_reason: 'job_execution_timeout' });
    const [build] = (await api().Commits.allStatuses(project, await head())).filter(
      ({ name }) => name === 'build',
    );
    expect(await refusal(api().Jobs.showLog(project, build?.id ?? 0))).toMatchObject({ status: 404 });
    expect((await trial.rest(`${projectApi}/pipelines`, { token: 'guest-token' })).status).toBe(403);
  });

  it('runs a job that has ended again, and asks for its next attempt', async () => {
    const test = await jobOf('test');
    expect(await refusal(api().Jobs.retry(project, test.id))).toEqual({
      status: 403,
      message: '403 Forbidden - Job is not retryable',
    });
    const flaky = await jobOf('flaky');
    const again = await api().Jobs.retry(project, flaky.id);
    expect(again).toMatchObject({ name: 'flaky', status: 'success' });
    expect(again.id).not.toBe(flaky.id);
    expect(await statuses()).toMatchObject({ flaky: 'success' });
    const all = await jobs({ includeRetried: true });
    expect(all.filter(({ name }) => name === 'flaky')).toHaveLength(2);
    expect((await refusal(api().Jobs.retry(project, flaky.id))).status).toBe(403);
    expect((await refusal(api('reporter-token').Jobs.retry(project, again.id))).status).toBe(403);
  });

  it('runs what failed in a pipeline again', async () => {
    trial.pass(65 * second);
    const { id } = await pipeline();
    expect(await api().Pipelines.retry(project, id)).toMatchObject({ id, status: 'running' });
    expect(await statuses()).toMatchObject({ test: 'pending', flaky: 'success', build: 'success' });
    trial.simulator.ci.rerun(project, await head(), 'owner');
    expect(await statuses()).toMatchObject({ test: 'pending' });
  });

  it('hears statuses from outside, each until it has ended', async () => {
    const say = async (state: 'pending' | 'running' | 'failed' | 'success') =>
      api().Commits.editStatus(project, await head(), state, { context: 'deploy', ref: 'fix' });
    const first = await say('running');
    expect((await refusal(say('running'))).message).toContain(
      'Cannot transition status via :run from :running',
    );
    expect((await say('failed')).id).toBe(first.id);
    expect(await statuses()).toMatchObject({ deploy: 'failed' });
    expect((await say('success')).id).not.toBe(first.id);
    expect(await statuses()).toMatchObject({ deploy: 'success' });
    expect((await api().Commits.allStatuses(project, await head(), { all: true })).length).toBe(6);
    const path = `${projectApi}/statuses/${'0'.repeat(40)}`;
    expect((await trial.rest(path, { method: 'POST', body: { state: 'failed' } })).status).toBe(404);
  });

  it('keeps a merge request from being merged where the project asks for it', async () => {
    const { ci } = trial.simulator;
    const state = async () => (await api().MergeRequests.show(project, 1)).detailed_merge_status;
    expect(await state()).toBe('mergeable');
    ci.require(project, true);
    expect(await state()).toBe('ci_still_running');
    trial.pass(65 * second);
    expect(await state()).toBe('ci_must_pass');
    expect((await refusal(api('maintainer-token').MergeRequests.merge(project, 1))).status).toBe(405);
    await trial.simulator.push({ project, branch: 'fix', author: 'agent', files: { 'src/sum.js': right } });
    trial.pass(65 * second);
    await api().Pipelines.retry(project, (await pipeline()).id);
    expect(await state()).toBe('mergeable');
  });

  it('is played by hand, too, and told of in deliveries', async () => {
    trial.pass(65 * second);
    const sha = await head();
    await trial.simulator.ci.report(project, sha, { name: 'docs', kind: 'status', conclusion: 'failure' });
    const told = (happening: object) => {
      const given = { project, sha, ...happening } as Parameters<typeof trial.simulator.composeDelivery>[0];
      const { headers, body } = trial.simulator.composeDelivery(given, 'a token');
      return { event: headers['x-gitlab-event'], payload: JSON.parse(body.toString()) };
    };
    const { event, payload } = told({ event: 'pipeline' });
    expect(event).toBe('Pipeline Hook');
    expect(payload).toMatchObject({
      object_kind: 'pipeline',
      object_attributes: { sha, status: 'failed', duration: 65, created_at: '2024-05-01 00:00:00 UTC' },
      merge_request: { iid: 1, source_branch: 'fix' },
      project: { path_with_namespace: project },
    });
    expect(payload.builds.map((build: { name: string }) => build.name)).toContain('docs');
    const job = told({ event: 'job', name: 'test' });
    expect(job.event).toBe('Job Hook');
    expect(job.payload).toMatchObject({
      object_kind: 'build',
      sha,
      build_name: 'test',
      build_status: 'failed',
      build_failure_reason: 'script_failure',
      build_finished_at: '2024-05-01 00:01:05 UTC',
    });
  });
});
