import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { repository, repositoryName, startTrial, type Trial } from '../trial.ts';

let trial: Trial;
const second = 1_000;
const pull = { ...repository, pull_number: 1 };

beforeEach(async () => {
  trial = await startTrial({ mergeabilityMs: 2 * second });
  await trial.simulator.ci.answer(repositoryName, ({ read, attempt }) => {
    const isRight = read('src/sum.js')?.includes('a + b') ?? false;
    return [
      {
        name: 'test',
        conclusion: isRight ? 'success' : 'failure',
        queuedMs: 5 * second,
        takesMs: 60 * second,
        log: isRight ? 'ok' : 'expected 3\nfound -1',
      },
      { name: 'flaky', conclusion: attempt === 1 ? 'timed_out' : 'success' },
      { name: 'docs', kind: 'app', conclusion: 'success', takesMs: 10 * second, summary: 'Fine' },
      { name: 'build', kind: 'status', conclusion: 'success', takesMs: 20 * second },
    ];
  });
  await trial.simulator.openPullRequest({
    repo: repositoryName,
    author: 'agent',
    title: 'Fix the sum',
    headBranch: 'fix',
    files: { 'src/sum.js': 'export const sum = (a, b) => a * b;\n' },
  });
});
afterEach(() => trial.close());

const rest = () => trial.octokit('agent-token').rest;
const head = async () => (await rest().pulls.get(pull)).data.head.sha;
const runs = async () => {
  const { data } = await rest().checks.listForRef({ ...repository, ref: await head() });
  return Object.fromEntries(
    data.check_runs.map(({ name, status, conclusion }) => [name, conclusion ?? status]),
  );
};
const workflow = async () => {
  const { data } = await rest().actions.listWorkflowRunsForRepo({ ...repository, head_sha: await head() });
  const [found] = data.workflow_runs;
  if (!found) throw new Error('no workflow ran');
  return found;
};
const jobs = async () =>
  (await rest().actions.listJobsForWorkflowRun({ ...repository, run_id: (await workflow()).id })).data.jobs;

describe('CI on the server’s clock', () => {
  it('answers each head with what takes its time', async () => {
    expect(await runs()).toEqual({ test: 'queued', flaky: 'timed_out', docs: 'in_progress' });
    trial.pass(5 * second);
    expect(await runs()).toMatchObject({ test: 'in_progress' });
    expect(await workflow()).toMatchObject({ status: 'in_progress', conclusion: null, run_attempt: 1 });
    const status = async () =>
      (await rest().repos.getCombinedStatusForRef({ ...repository, ref: await head() })).data.state;
    expect(await status()).toBe('pending');
    trial.pass(60 * second);
    expect(await runs()).toEqual({ test: 'failure', flaky: 'timed_out', docs: 'success' });
    expect(await status()).toBe('success');
    expect(await workflow()).toMatchObject({ status: 'completed', conclusion: 'failure' });
    const pushed = await trial.simulator.push({
      repo: repositoryName,
      branch: 'fix',
      author: 'agent',
      files: { 'src/sum.js': 'export const sum = (a, b) => a + b;\n' },
    });
    expect(await runs()).toMatchObject({ test: 'queued' });
    trial.pass(65 * second);
    expect(await runs()).toMatchObject({ test: 'success' });
    expect((await workflow()).head_sha).toBe(pushed);
    expect(trial.simulator.ci.checks(repositoryName, pushed)).toContainEqual({
      name: 'build',
      state: 'success',
    });
  });

  it('keeps the log of each job that has ended, behind an address for a minute', async () => {
    const [test] = await jobs();
    const log = { ...repository, job_id: test?.id ?? 0 };
    await expect(rest().actions.downloadJobLogsForWorkflowRun(log)).rejects.toMatchObject({ status: 404 });
    trial.pass(65 * second);
    const { data, url } = await rest().actions.downloadJobLogsForWorkflowRun(log);
    expect(data).toBe('2024-05-01T00:00:05.0000000Z expected 3\n2024-05-01T00:00:05.0000000Z found -1\n');
    const redirect = await fetch(`${trial.simulator.url}/repos/owner/demo/actions/jobs/${log.job_id}/logs`, {
      redirect: 'manual',
      headers: { authorization: 'Bearer agent-token' },
    });
    expect(redirect.status).toBe(302);
    expect(redirect.headers.get('location')).toBe(url);
    trial.pass(61 * second);
    expect((await fetch(url)).status).toBe(403);
  });

  it('runs the failed jobs again, as another attempt', async () => {
    const { id: run_id } = await workflow();
    const again = { ...repository, run_id };
    await expect(rest().actions.reRunWorkflowFailedJobs(again)).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining('already running'),
    });
    trial.pass(65 * second);
    const before = await jobs();
    expect((await rest().actions.reRunWorkflowFailedJobs(again)).status).toBe(201);
    expect(await workflow()).toMatchObject({ id: run_id, run_attempt: 2, status: 'in_progress' });
    const after = await jobs();
    expect(after.map(({ name, run_attempt }) => [name, run_attempt])).toEqual([
      ['test', 2],
      ['flaky', 2],
    ]);
    expect(after.map(({ id }) => id)).not.toEqual(before.map(({ id }) => id));
    expect(await runs()).toEqual({ test: 'queued', flaky: 'success', docs: 'success' });
    const first = await rest().actions.listJobsForWorkflowRunAttempt({ ...again, attempt_number: 1 });
    expect(first.data.jobs.map(({ conclusion }) => conclusion)).toEqual(['failure', 'timed_out']);
    trial.simulator.addToken({ token: 'reader', login: 'agent', permissions: { actions: 'read' } });
    const { actions } = trial.octokit('reader').rest;
    expect((await actions.getWorkflowRun(again)).status).toBe(200);
    await expect(actions.reRunWorkflow(again)).rejects.toMatchObject({ status: 403 });
  });

  it('does not say at once whether a pull request can be merged', async () => {
    const mergeability = async () => {
      const { mergeable, mergeable_state } = (await rest().pulls.get(pull)).data;
      return [mergeable, mergeable_state];
    };
    expect(await mergeability()).toEqual([null, 'unknown']);
    trial.pass(2 * second);
    expect(await mergeability()).toEqual([true, 'unstable']);
  });

  it('is played by hand, too', async () => {
    const sha = await head();
    const { ci } = trial.simulator;
    await ci.report(repositoryName, sha, { name: 'lint', conclusion: 'failure', log: 'x' });
    expect(ci.checks(repositoryName, sha)).toContainEqual({ name: 'lint', state: 'failure' });
    await ci.report(repositoryName, sha, { name: 'lint', conclusion: 'success' });
    expect(ci.checks(repositoryName, sha)).toContainEqual({ name: 'lint', state: 'success' });
    trial.pass(65 * second);
    ci.rerun(repositoryName, sha, 'owner');
    expect((await workflow()).triggering_actor?.login).toBe('owner');
  });
});
