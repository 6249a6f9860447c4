import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startGitHubSimulator } from './start-github-simulator.ts';
import { repository, repositoryName, startTrial, type Trial } from './trial.ts';

let trial: Trial;

beforeEach(async () => {
  trial = await startTrial();
});

afterEach(() => trial.close());

const write = (name: string, text: string) => writeFile(join(trial.folder, name), text);
const clone = (token?: string) => trial.git('clone', '--quiet', trial.remote(token), '.');
const commit = async (name: string, text = `${name}\n`) => {
  await write(name, text);
  await trial.git('add', name);
  await trial.git('commit', '--quiet', '-m', `Add ${name}`);
};
const headOf = async (branch: string) =>
  (await trial.octokit().rest.git.getRef({ ...repository, ref: `heads/${branch}` })).data.object.sha;

describe('git over HTTP with the simulated GitHub', () => {
  it('clones what is public without credentials', async () => {
    await clone();
    expect(await readFile(join(trial.folder, 'README.md'), 'utf8')).toBe('# Demo\n');
    expect((await trial.git('rev-parse', 'HEAD')).trim()).toBe(await headOf('main'));
  });

  it('says that git is missing where it is, and goes on', async () => {
    vi.stubEnv('PATH', trial.folder);
    const simulator = await startGitHubSimulator();
    try {
      simulator.addUser({ login: 'alice' });
      await simulator.addRepository({ owner: 'alice', name: 'shop' });
      const answer = await fetch(`${simulator.url}/alice/shop.git/info/refs?service=git-upload-pack`);
      expect(answer.status).toBe(500);
      expect(await answer.text()).toContain('spawn git ENOENT');
    } finally {
      await simulator.close();
      vi.unstubAllEnvs();
    }
  });

  it('takes a push with a token, and a pull request follows its head', async () => {
    await trial.simulator.openPullRequest({
      repo: repositoryName,
      author: 'agent',
      title: 'x',
      headBranch: 'fix',
      files: { a: 'a\n' },
    });
    await clone('agent-token');
    await trial.git('checkout', '--quiet', 'fix');
    await commit('b');
    trial.pass(1000);
    await trial.git('push', '--quiet', 'origin', 'fix');
    const sha = (await trial.git('rev-parse', 'HEAD')).trim();
    const { data } = await trial.octokit().rest.pulls.get({ ...repository, pull_number: 1 });
    expect(data).toMatchObject({
      head: { sha },
      commits: 2,
      changed_files: 2,
      updated_at: '2024-05-01T00:00:01Z',
    });
    expect(await trial.git('ls-remote', 'origin', 'refs/pull/1/head')).toContain(sha);
  });

  it('takes the token as user name too, and any user name beside it', async () => {
    const { host } = new URL(trial.simulator.url);
    await trial.git(
      'clone',
      '--quiet',
      `http://agent-token:x-oauth-basic@${host}/owner/demo`,
      'without-suffix',
    );
    await trial.git(
      'clone',
      '--quiet',
      `http://x-access-token:agent-token@${host}/owner/demo.git`,
      'with-suffix',
    );
    expect(trial.simulator.requests.every(({ status }) => status === 200 || status === 401)).toBe(true);
  });

  it('streams a large push, gzipped or not, and gives it back', { tags: ['full'] }, async () => {
    await clone('agent-token');
    const noise = Array.from({ length: 200_000 }, (_, index) => (index * 2_654_435_761) % 4_294_967_296).join(
      '\n',
    );
    await commit('noise.txt', noise);
    await trial.git('push', '--quiet', 'origin', 'HEAD:big');
    await trial.git('-c', 'http.postBuffer=65536', 'push', '--quiet', 'origin', 'HEAD:chunked');
    await trial.git('clone', '--quiet', '--branch', 'chunked', trial.remote(), 'again');
    expect(await readFile(join(trial.folder, 'again', 'noise.txt'), 'utf8')).toBe(noise);
  });

  it('asks for credentials before anything is pushed or a private repository is read', async () => {
    await clone();
    await trial.simulator.addRepository({ owner: 'owner', name: 'secret', private: true });
    await expect(trial.git('clone', trial.remote(undefined, 'owner/secret'), 'secret')).rejects.toThrow(
      'could not read Username',
    );
    const response = await fetch(`${trial.simulator.url}/owner/secret.git/info/refs?service=git-upload-pack`);
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([
      401,
      'Basic realm="GitHub"',
    ]);
    await expect(
      trial.git('clone', trial.remote('stranger-token', 'owner/secret'), 'secret'),
    ).rejects.toThrow('not found');
    await trial.git('clone', '--quiet', trial.remote('owner-token', 'owner/secret'), 'secret');
    await commit('a');
    await expect(trial.git('push', 'origin', 'HEAD')).rejects.toThrow('could not read Username');
  });

  it('refuses a wrong token, an account without write access, and a token that may only read', async () => {
    trial.simulator.addToken({ token: 'reading', login: 'agent', permissions: { contents: 'read' } });
    await clone();
    await commit('a');
    const push = (token: string) => trial.git('push', trial.remote(token), 'HEAD');
    await expect(push('wrong')).rejects.toThrow('Authentication failed');
    await expect(push('stranger-token')).rejects.toThrow('Permission to owner/demo.git denied to stranger.');
    await expect(push('reading')).rejects.toThrow('Write access to repository not granted.');
    await push('agent-token');
  });

  it('rejects what is not a fast forward, and takes it with force', async () => {
    await clone('agent-token');
    await trial.git('commit', '--quiet', '--amend', '-m', 'Rewritten');
    await expect(trial.git('push', 'origin', 'main')).rejects.toThrow('non-fast-forward');
    await trial.git('push', '--quiet', '--force', 'origin', 'main');
    expect((await trial.git('rev-parse', 'HEAD')).trim()).toBe(await headOf('main'));
  });

  it('rejects a push to a protected branch as GitHub words it, and takes others', async () => {
    await trial.simulator.protectBranch(repositoryName, 'main');
    await clone('agent-token');
    await commit('a');
    await expect(trial.git('push', 'origin', 'main')).rejects.toThrow(
      'GH006: Protected branch update failed for refs/heads/main.',
    );
    await trial.git('push', '--quiet', 'origin', 'HEAD:other');
    const { data } = await trial.octokit().rest.repos.getBranch({ ...repository, branch: 'main' });
    expect(data.protected).toBe(true);
    await expect(
      trial
        .octokit('agent-token')
        .rest.git.updateRef({ ...repository, ref: 'heads/main', sha: await headOf('other') }),
    ).rejects.toMatchObject({ status: 422, message: expect.stringContaining('protected') });
  });

  it('rejects a push that a ruleset forbids, and names its rules', async () => {
    await trial.simulator.setRuleset(repositoryName, {
      branches: 'agent/*',
      rules: ['Commits must have verified signatures.'],
    });
    await clone('agent-token');
    await commit('a');
    const refused = expect(trial.git('push', 'origin', 'HEAD:agent/1')).rejects;
    await refused.toThrow(/GH013[\s\S]*- Commits must have verified signatures\./u);
    await trial.git('push', '--quiet', 'origin', 'HEAD:other');
  });

  it("rejects pushes to pull requests' own refs and the deletion of the default branch", async () => {
    await clone('agent-token');
    await expect(trial.git('push', 'origin', 'HEAD:refs/pull/1/head')).rejects.toThrow('hidden ref');
    await expect(trial.git('push', 'origin', ':main')).rejects.toThrow(
      'refusing to delete the current branch',
    );
  });

  it('fails a push on demand: refused, or done with the answer lost', async () => {
    await clone('agent-token');
    await commit('a');
    const before = await headOf('main');
    trial.simulator.fail({ path: /git-receive-pack$/, method: 'POST', kind: 'server-error' });
    await expect(trial.git('push', 'origin', 'main')).rejects.toThrow('500');
    expect(await headOf('main')).toBe(before);
    trial.simulator.fail({ path: /git-receive-pack$/, method: 'POST', kind: 'reset-after-effect' });
    await expect(trial.git('push', 'origin', 'main')).rejects.toThrow();
    expect(await headOf('main')).toBe((await trial.git('rev-parse', 'HEAD')).trim());
  });

  it('clones an empty repository and takes its first push', async () => {
    await trial.simulator.addRepository({ owner: 'owner', name: 'empty', files: null });
    await trial.git('clone', '--quiet', trial.remote('owner-token', 'owner/empty'), '.');
    await trial.git('checkout', '--quiet', '-B', 'main');
    await commit('first.txt');
    await trial.git('push', '--quiet', 'origin', 'main');
    const { data } = await trial.octokit().rest.repos.listBranches({ owner: 'owner', repo: 'empty' });
    expect(data.map(({ name }) => name)).toEqual(['main']);
  });

  it('fetches a single commit and a clone without blobs, as GitHub allows', async () => {
    const sha = await headOf('main');
    await trial.git('init', '--quiet');
    await trial.git('fetch', '--quiet', '--depth=1', trial.remote(), sha);
    await trial.git('clone', '--quiet', '--filter=blob:none', '--no-checkout', trial.remote(), 'partial');
    expect((await trial.git('-C', 'partial', 'rev-parse', 'HEAD')).trim()).toBe(sha);
  });

  it('keeps scripts executable and odd file names as they are', async () => {
    const files = {
      'run.sh': '#!/bin/sh\necho hi\n',
      'a "quoted" \\ name.txt': 'x',
      '日本語/ファイル.md': 'こんにちは\n',
    };
    await trial.simulator.addRepository({ owner: 'owner', name: 'odd', files });
    await trial.git('clone', '--quiet', trial.remote(undefined, 'owner/odd'), '.');
    const listed = await trial.git('-c', 'core.quotePath=false', 'ls-files', '-s', '-z');
    expect(listed.split('\0')).toContainEqual(expect.stringMatching(/^100755 .*\trun\.sh$/));
    expect(await readFile(join(trial.folder, 'a "quoted" \\ name.txt'), 'utf8')).toBe('x');
    expect(await readFile(join(trial.folder, '日本語/ファイル.md'), 'utf8')).toBe('こんにちは\n');
  });
});
