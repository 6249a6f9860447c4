import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openChange, project, startTrial, type Trial } from './trial.ts';

let trial: Trial;

beforeEach(async () => {
  trial = await startTrial();
});

afterEach(() => trial.close());

async function commit(branch: string, file = 'new.txt'): Promise<void> {
  await trial.git('checkout', '--quiet', '-B', branch);
  await writeFile(join(trial.folder, file), `${branch}\n`);
  await trial.git('add', file);
  await trial.git('commit', '--quiet', '-m', `Change ${branch}`);
}

const clone = (token = 'agent-token', path = project) =>
  trial.git('clone', '--quiet', trial.remote(token, path), '.');
const push = (...args: readonly string[]) => trial.git('push', ...args);

describe('git over HTTP of the simulated GitLab', () => {
  it('clones with a token as the password of whatever user, and pushes a branch', async () => {
    await clone();
    await commit('feature/x');
    await push('origin', 'feature/x');
    const branch = await trial.api().Branches.show(project, 'feature/x');
    expect(branch.commit).toMatchObject({ title: 'Change feature/x', author_name: 'Agent' });
    expect(
      trial.simulator.requests.some(
        ({ path, login }) => path.includes('git-receive-pack') && login === 'agent',
      ),
    ).toBe(true);
    await trial.git('ls-remote', trial.remote('agent-token').replace('oauth2:', 'anything:'));
  });

  it('serves projects in subgroups, without .git by a redirect, and after a move', async () => {
    await trial.simulator.addProject({ path: 'group/sub/deep', members: { agent: 'developer' } });
    const refs = (remote: string) => trial.git('ls-remote', remote);
    expect(await refs(trial.remote('agent-token', 'group/sub/deep'))).toContain('refs/heads/main');
    expect(await refs(trial.remote('agent-token').replace(/\.git$/, ''))).toContain('refs/heads/main');
    trial.simulator.moveProject(project, 'group/renamed');
    expect(await refs(trial.remote('agent-token'))).toContain('refs/heads/main');
  });

  it('asks for credentials, and refuses wrong ones', async () => {
    const refs = (token?: string) => trial.git('ls-remote', trial.remote(token));
    await expect(refs()).rejects.toThrow(/could not read Username|terminal prompts disabled/);
    await expect(refs('wrong')).rejects.toThrow(/Access denied|Authentication failed/);
    await expect(refs('stranger-token')).rejects.toThrow('not found');
    await expect(refs('guest-token')).rejects.toThrow('403');
    expect(await refs('reporter-token')).toContain('refs/heads/main');
    trial.simulator.revokeToken('reporter-token', 'expired');
    await expect(refs('reporter-token')).rejects.toThrow(/Access denied|Authentication failed/);
  });

  it('lets everybody fetch what is public, and nobody push without a right', async () => {
    await trial.simulator.addProject({ path: 'group/open', visibility: 'public' });
    await trial.git('clone', '--quiet', trial.remote(undefined, 'group/open'), '.');
    await commit('x');
    await expect(push('origin', 'x')).rejects.toThrow(/could not read Username|terminal prompts disabled/);
    await expect(push(trial.remote('stranger-token', 'group/open'), 'x')).rejects.toThrow('403');
  });

  it('minds the scopes of a token', async () => {
    trial.simulator.addToken({ token: 'reads', username: 'agent', scopes: ['read_repository'] });
    trial.simulator.addToken({ token: 'writes', username: 'agent', scopes: ['write_repository'] });
    trial.simulator.addToken({ token: 'api-only-read', username: 'agent', scopes: ['read_api'] });
    await clone('reads');
    await commit('x');
    await expect(push('origin', 'x')).rejects.toThrow(/Access denied|Authentication failed/);
    await push(trial.remote('writes'), 'x');
    await expect(trial.git('ls-remote', trial.remote('api-only-read'))).rejects.toThrow(
      /Access denied|Authentication/,
    );
  });

  it('protects the default branch from developers, in GitLab’s words', async () => {
    await clone();
    await commit('main');
    await expect(push('origin', 'main')).rejects.toThrow(
      /GitLab: You are not allowed to push code to protected branches on this project\.[\s\S]*pre-receive hook declined/,
    );
    await push(trial.remote('maintainer-token'), 'main');
    await expect(push(trial.remote('maintainer-token'), ':main')).rejects.toThrow('cannot be deleted');
  });

  it('refuses force pushes to and deletions of protected branches, and lets others be', {
    tags: ['full'],
  }, async () => {
    await clone('maintainer-token');
    await commit('kept');
    await push('origin', 'kept');
    trial.simulator.protectBranch(project, 'kept', 'maintainer');
    await trial.git('commit', '--quiet', '--amend', '-m', 'Another');
    await expect(push('--force', 'origin', 'kept')).rejects.toThrow('not allowed to force push');
    await expect(push('origin', ':kept')).rejects.toThrow('using the web interface');
    trial.simulator.protectBranch(project, 'kept');
    await expect(push('--force', 'origin', 'kept')).rejects.toThrow(
      'not allowed to push code to protected branches',
    );
    trial.simulator.unprotectBranch(project, 'kept');
    await push('--force', 'origin', 'kept');
    await push('origin', ':kept');
  });

  it('keeps its own refs from pushes, and lets merge requests be fetched', async () => {
    await openChange(trial, 'x');
    await clone();
    await trial.git('fetch', '--quiet', 'origin', 'refs/merge-requests/1/head');
    await commit('y');
    await expect(push('origin', 'y:refs/merge-requests/1/head')).rejects.toThrow('hidden ref');
  });

  it('wants a maintainer for the first push to an empty project, and protects the branch then', async () => {
    await trial.simulator.addProject({
      path: 'group/empty',
      files: null,
      members: { agent: 'developer', maintainer: 'maintainer' },
    });
    await clone('agent-token', 'group/empty');
    await commit('main');
    await expect(push('origin', 'main')).rejects.toThrow('default branch (e.g. main) does not yet exist');
    await push(trial.remote('maintainer-token', 'group/empty'), 'main');
    expect((await trial.api().Projects.show('group/empty')).default_branch).toBe('main');
    await commit('main', 'second.txt');
    await expect(push('origin', 'main')).rejects.toThrow('not allowed to push');
  });

  it('tells open merge requests of a push, merges what is contained, and keeps open what lost its branch', {
    tags: ['full'],
  }, async () => {
    const { simulator } = trial;
    const open = (sourceBranch: string) => openChange(trial, sourceBranch);
    await open('a');
    await open('b');
    await clone();
    await trial.git('checkout', '--quiet', 'a');
    await commit('a');
    await push('origin', 'a');
    const { sha } = await trial.api().MergeRequests.show(project, 1);
    expect(sha).toBe((await trial.git('rev-parse', 'a')).trim());
    expect(simulator.thread(project, '!1').notes.at(-1)).toMatchObject({
      system: true,
      body: 'added 1 commit',
    });
    await push(trial.remote('maintainer-token'), 'a:main');
    expect(simulator.thread(project, '!1').state).toBe('merged');
    await push('origin', ':b');
    expect(simulator.thread(project, '!2').state).toBe('opened');
  });

  it('keeps the bare repository on disk for assertions, and removes it when closed', async () => {
    const directory = trial.simulator.gitDirectory(project);
    expect(await trial.git('--git-dir', directory, 'log', '--format=%s', 'main')).toBe('Initial commit\n');
  });

  it('loses an answer to a push whose work is done', async () => {
    await clone();
    await commit('x');
    trial.simulator.fail({ method: 'POST', path: 'git-receive-pack', kind: 'reset-after-effect' });
    await expect(push('origin', 'x')).rejects.toThrow();
    expect((await trial.api().Branches.show(project, 'x')).name).toBe('x');
  });
});
