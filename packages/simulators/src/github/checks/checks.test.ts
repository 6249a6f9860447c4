import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { repository, repositoryName, startTrial, type Trial } from '../trial.ts';

let trial: Trial;
let sha: string;
let token: string;
const second = 1_000;
const pull = { ...repository, pull_number: 1 };

beforeEach(async () => {
  trial = await startTrial();
  const { simulator } = trial;
  await simulator.openPullRequest({
    repo: repositoryName,
    author: 'agent',
    title: 'Fix the sum',
    headBranch: 'fix',
    files: { 'src/sum.js': 'export const sum = (a, b) => a + b;\n' },
  });
  sha = (await trial.octokit('agent-token').rest.pulls.get(pull)).data.head.sha;
  token = installed('Linter');
});
afterEach(() => trial.close());

/** The token of a new app's installation. */
function installed(name: string): string {
  const { apps } = trial.simulator;
  const { slug } = apps.register({ owner: 'owner', name, permissions: { checks: 'write' } });
  return apps.token(apps.install({ app: slug, account: 'owner' }));
}
const checks = (of = token) => trial.octokit(of).rest.checks;
const create = (more: object = {}, of = token) =>
  checks(of).create({ ...repository, name: 'lint', head_sha: sha, ...more });
const list = (more: object = {}) => checks().listForRef({ ...repository, ref: sha, ...more });

describe('check runs', () => {
  it('are made and ended by an app, and shown with their suite, their pull request and their remarks', async () => {
    const { data: run } = await create({ status: 'in_progress', external_id: '7' });
    expect(run).toMatchObject({
      status: 'in_progress',
      conclusion: null,
      external_id: '7',
      app: { slug: 'linter' },
      pull_requests: [{ number: 1, head: { sha } }],
    });
    trial.pass(30 * second);
    const annotation = {
      path: 'src/sum.js',
      start_line: 1,
      end_line: 1,
      annotation_level: 'failure',
      message: 'No test',
    } as const;
    const one = { ...repository, check_run_id: run.id };
    await checks().update({
      ...one,
      conclusion: 'failure',
      output: { title: 'One problem', summary: 'It has no test.', annotations: [annotation] },
    });
    const { data } = await list();
    expect(data).toMatchObject({
      total_count: 1,
      check_runs: [
        {
          status: 'completed',
          conclusion: 'failure',
          started_at: '2024-05-01T00:00:00Z',
          completed_at: '2024-05-01T00:00:30Z',
          output: { title: 'One problem', summary: 'It has no test.', annotations_count: 1 },
        },
      ],
    });
    const { data: remarks } = await checks().listAnnotations(one);
    expect(remarks).toMatchObject([annotation]);
    const { data: suites } = await checks().listSuitesForRef({ ...repository, ref: 'fix' });
    expect(suites.check_suites).toMatchObject([
      { status: 'completed', conclusion: 'failure', head_branch: 'fix', latest_check_runs_count: 1 },
    ]);
  });

  it('are listed by their newest, or all, or by name and status', async () => {
    await create({ conclusion: 'failure' });
    await create({ conclusion: 'success' });
    await create({ name: 'other' });
    const names = async (more: object = {}) =>
      (await list(more)).data.check_runs.map(({ name, conclusion }) => [name, conclusion]);
    expect(await names()).toEqual([
      ['lint', 'success'],
      ['other', null],
    ]);
    expect(await names({ filter: 'all' })).toHaveLength(3);
    expect(await names({ check_name: 'other' })).toEqual([['other', null]]);
    expect(await names({ status: 'completed' })).toEqual([['lint', 'success']]);
    const { headers } = await list();
    const again = list({ headers: { 'if-none-match': headers.etag } });
    await expect(again).rejects.toMatchObject({ status: 304 });
  });

  it('are written by apps alone, each its own, and not read with a fine-grained token', async () => {
    const { data: run } = await create();
    const refused = (message: string) => ({ status: 403, message: expect.stringContaining(message) });
    await expect(create({}, 'owner-token')).rejects.toMatchObject(
      refused('You must authenticate via a GitHub App.'),
    );
    const other = checks(installed('Other')).update({ ...repository, check_run_id: run.id, name: 'mine' });
    await expect(other).rejects.toMatchObject(
      refused('check run can only be modified by the GitHub App that created it'),
    );
    trial.simulator.addToken({ token: 'fine', login: 'owner', permissions: {} });
    await expect(checks('fine').listForRef({ ...repository, ref: sha })).rejects.toMatchObject(
      refused('Resource not accessible by personal access token'),
    );
    expect((await checks('owner-token').listForRef({ ...repository, ref: sha })).status).toBe(200);
    await expect(create({ head_sha: '0'.repeat(40) })).rejects.toMatchObject({ status: 422 });
    await expect(create({ status: 'completed' })).rejects.toMatchObject({ status: 422 });
    const rerequest = { ...repository, check_run_id: run.id };
    expect((await checks().rerequestRun(rerequest)).status).toBe(201);
    await expect(checks('owner-token').rerequestRun(rerequest)).rejects.toMatchObject({ status: 403 });
  });
});

describe('statuses of commits', () => {
  const repos = (of = 'agent-token') => trial.octokit(of).rest.repos;
  const say = (state: 'pending' | 'failure' | 'success', context = 'build') =>
    repos().createCommitStatus({ ...repository, sha, state, context });

  it('are summed up by the newest of each context', async () => {
    const combined = async () => (await repos().getCombinedStatusForRef({ ...repository, ref: sha })).data;
    expect(await combined()).toMatchObject({ state: 'pending', total_count: 0, statuses: [] });
    await say('failure');
    await say('success', 'docs');
    expect(await combined()).toMatchObject({ state: 'failure', total_count: 2 });
    await say('success');
    expect(await combined()).toMatchObject({ state: 'success', sha, total_count: 2 });
    const { data } = await repos().listCommitStatusesForRef({ ...repository, ref: 'fix' });
    expect(data.map(({ state, context }) => [state, context])).toEqual([
      ['success', 'build'],
      ['success', 'docs'],
      ['failure', 'build'],
    ]);
    await expect(
      repos('alice-token').createCommitStatus({ ...repository, sha, state: 'success' }),
    ).rejects.toMatchObject({ status: 403 });
  });
});

describe('whether a pull request can be merged', () => {
  const state = async () => (await trial.octokit('agent-token').rest.pulls.get(pull)).data.mergeable_state;

  it('follows the checks, those that the base requires first', async () => {
    const { ci } = trial.simulator;
    expect(await state()).toBe('clean');
    await create({ conclusion: 'failure' });
    expect(await state()).toBe('unstable');
    ci.require(repositoryName, 'main', { names: ['test'], strict: true });
    expect(await state()).toBe('blocked');
    const merge = trial.octokit('owner-token').rest.pulls.merge;
    await expect(merge(pull)).rejects.toMatchObject({
      status: 405,
      message: expect.stringContaining('Required status check "test" is expected.'),
    });
    const { data: base } = await trial
      .octokit('agent-token')
      .rest.repos.getBranch({ ...repository, branch: 'main' });
    expect(base.protection.required_status_checks?.contexts).toEqual(['test']);
    await create({ name: 'test', conclusion: 'success' });
    await create({ conclusion: 'success' });
    expect(await state()).toBe('clean');
    const push = { repo: repositoryName, branch: 'main', author: 'owner' } as const;
    await trial.simulator.push({ ...push, files: { other: 'x\n' } });
    expect(await state()).toBe('behind');
    await trial.simulator.push({ ...push, files: { 'src/sum.js': 'export const sum = 0;\n' } });
    expect(await state()).toBe('dirty');
    expect(ci.checks(repositoryName, sha)).toContainEqual({ name: 'test', state: 'success' });
  });
});
