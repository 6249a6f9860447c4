import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { repository, repositoryName, startTrial, type Trial } from './trial.ts';

let trial: Trial;
let installation: number;
const minute = 60_000;
const pull = { ...repository, pull_number: 1 };
const path = 'src/sum.js';

beforeEach(async () => {
  trial = await startTrial();
  const { apps, ci } = trial.simulator;
  const permissions = {
    contents: 'write',
    pull_requests: 'write',
    checks: 'read',
    actions: 'write',
  } as const;
  const { slug } = apps.register({ owner: 'owner', name: 'Agent App', permissions });
  installation = apps.install({ app: slug, account: 'owner' });
  ci.require(repositoryName, 'main', { names: ['test'], strict: false });
  await ci.answer(repositoryName, ({ read, attempt }) => [
    { name: 'test', conclusion: read(path)?.includes('a + b') ? 'success' : 'failure', log: 'found -1' },
    { name: 'network', conclusion: attempt > 1 ? 'success' : 'failure', takesMs: 5 * minute },
  ]);
});
afterEach(() => trial.close());

const rest = () => trial.octokit(trial.simulator.apps.token(installation)).rest;
const state = async () => (await rest().pulls.get(pull)).data.mergeable_state;

/** Pushes the file with a token of the moment, as git does it. */
async function push(text: string): Promise<void> {
  const token = trial.simulator.apps.token(installation);
  const remote = trial.remote().replace('http://', `http://x-access-token:${token}@`);
  const author = ['-c', 'user.name=agent', '-c', 'user.email=agent@example.com'];
  await writeFile(join(trial.folder, 'work', path), text);
  await trial.git('-C', 'work', ...author, 'commit', '--quiet', '-am', 'Change the sum');
  await trial.git('-C', 'work', 'push', '--quiet', remote, 'HEAD:refs/heads/fix');
}

describe('a pull request that an app stays with', () => {
  it('goes from a check that fails, one that is flaky and a review on a line to green', async () => {
    await trial.git('clone', '--quiet', trial.remote(), 'work');
    await push('export const sum = (a, b) => a * b;\n');
    await rest().pulls.create({ ...repository, title: 'Fix the sum', head: 'fix', base: 'main' });
    expect(await state()).toBe('blocked');
    trial.pass(5 * minute);
    const head = async () => (await rest().pulls.get(pull)).data.head.sha;
    const { data: failed } = await rest().checks.listForRef({ ...repository, ref: await head() });
    expect(failed.check_runs.map(({ conclusion }) => conclusion)).toEqual(['failure', 'failure']);
    const job = { ...repository, job_id: failed.check_runs[0]?.id ?? 0 };
    expect((await rest().actions.downloadJobLogsForWorkflowRun(job)).data).toContain('found -1');

    const place = { repo: repositoryName, number: 1, author: 'alice', path, line: 1 };
    const comment = await trial.simulator.reviews.comment({ ...place, body: 'Plus, not times.' });
    trial.pass(60 * minute);
    await push('export const sum = (a, b) => a + b;\n');
    const [thread] = trial.simulator.reviews.threads(repositoryName, 1);
    expect(thread).toMatchObject({ isOutdated: true, comments: [{ id: comment }] });
    await rest().pulls.createReplyForReviewComment({ ...pull, comment_id: comment, body: 'Done.' });
    await trial
      .octokit(trial.simulator.apps.token(installation))
      .graphql(
        'mutation ($id: ID!) { resolveReviewThread(input: { threadId: $id }) { thread { isResolved } } }',
        { id: thread?.id },
      );
    expect(trial.simulator.reviews.threads(repositoryName, 1)).toMatchObject([
      { resolvedBy: 'agent-app[bot]', comments: [{ author: 'alice' }, { author: 'agent-app[bot]' }] },
    ]);

    trial.pass(5 * minute);
    expect(await state()).toBe('unstable');
    const { data } = await rest().actions.listWorkflowRunsForRepo({ ...repository, head_sha: await head() });
    await rest().actions.reRunWorkflowFailedJobs({ ...repository, run_id: data.workflow_runs[0]?.id ?? 0 });
    trial.pass(5 * minute);
    expect(await state()).toBe('clean');
  });
});
