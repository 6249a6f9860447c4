import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { repository, repositoryName, startTrial, type Trial } from './trial.ts';

let trial: Trial;

beforeEach(async () => {
  trial = await startTrial();
});

afterEach(() => trial.close());

const rest = (token = 'agent-token') => trial.octokit(token).rest;
const headOf = async (branch: string) =>
  (await rest().git.getRef({ ...repository, ref: `heads/${branch}` })).data.object.sha;

describe('branches and refs of the simulated GitHub', () => {
  it('lists and reads branches, those with slashes too', async () => {
    await rest().git.createRef({ ...repository, ref: 'refs/heads/agent/issue-1', sha: await headOf('main') });
    expect((await rest().repos.listBranches(repository)).data.map(({ name }) => name)).toEqual([
      'agent/issue-1',
      'main',
    ]);
    const { data } = await rest().repos.getBranch({ ...repository, branch: 'agent/issue-1' });
    expect(data.commit.sha).toBe(await headOf('main'));
    const plain = await fetch(`${trial.simulator.url}/repos/owner/demo/branches/agent/issue-1`);
    expect(plain.status).toBe(200);
    await expect(rest().repos.getBranch({ ...repository, branch: 'none' })).rejects.toMatchObject({
      status: 404,
      message: expect.stringContaining('Branch not found'),
    });
  });

  it('finds refs by the beginning of their names', async () => {
    for (const name of ['agent/1-a', 'agent/1-b', 'agent/12']) {
      await rest().git.createRef({ ...repository, ref: `refs/heads/${name}`, sha: await headOf('main') });
    }
    const { data } = await rest().git.listMatchingRefs({ ...repository, ref: 'heads/agent/1-' });
    expect(data.map(({ ref }) => ref)).toEqual(['refs/heads/agent/1-a', 'refs/heads/agent/1-b']);
    expect((await rest().git.listMatchingRefs({ ...repository, ref: 'heads/none' })).data).toEqual([]);
    await expect(rest().git.getRef({ ...repository, ref: 'heads/agent' })).rejects.toMatchObject({
      status: 404,
    });
  });

  it('creates, moves and deletes refs, and refuses what git would not do', async () => {
    const { git } = rest();
    const sha = await headOf('main');
    await git.createRef({ ...repository, ref: 'refs/heads/x', sha });
    await expect(git.createRef({ ...repository, ref: 'refs/heads/x', sha })).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining('already exists'),
    });
    await expect(git.createRef({ ...repository, ref: 'x', sha })).rejects.toMatchObject({ status: 422 });
    await expect(
      git.createRef({ ...repository, ref: 'refs/heads/y', sha: 'f'.repeat(40) }),
    ).rejects.toMatchObject({ status: 422, message: expect.stringContaining('Object does not exist') });
    await trial.simulator.openPullRequest({
      repo: repositoryName,
      author: 'agent',
      title: 'x',
      headBranch: 'ahead',
      files: { a: 'a' },
    });
    const ahead = await headOf('ahead');
    expect((await git.updateRef({ ...repository, ref: 'heads/x', sha: ahead })).data.object.sha).toBe(ahead);
    await expect(git.updateRef({ ...repository, ref: 'heads/x', sha })).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining('not a fast forward'),
    });
    expect((await git.updateRef({ ...repository, ref: 'heads/x', sha, force: true })).status).toBe(200);
    expect((await git.deleteRef({ ...repository, ref: 'heads/x' })).status).toBe(204);
    await expect(git.deleteRef({ ...repository, ref: 'heads/x' })).rejects.toMatchObject({ status: 422 });
    await expect(
      rest('alice-token').git.createRef({ ...repository, ref: 'refs/heads/z', sha }),
    ).rejects.toMatchObject({ status: 403 });
  });
});
