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

describe('files of the simulated GitHub', () => {
  it('reads a file as Base64 and as it is, at a branch, a commit and by default', async () => {
    const { repos } = rest();
    const { data } = await repos.getContent({ ...repository, path: 'src/sum.js' });
    const content = 'content' in data ? Buffer.from(data.content ?? '', 'base64').toString() : '';
    expect(content).toBe('export const sum = (a, b) => a - b;\n');
    const raw = await repos.getContent({
      ...repository,
      path: 'src/sum.js',
      ref: await headOf('main'),
      mediaType: { format: 'raw' },
    });
    expect(raw.data).toBe('export const sum = (a, b) => a - b;\n');
    expect(raw.headers['content-type']).toContain('application/vnd.github.raw');
    await expect(repos.getContent({ ...repository, path: 'none.txt' })).rejects.toMatchObject({
      status: 404,
      message: expect.stringContaining('Not Found'),
    });
    await expect(repos.getContent({ ...repository, path: 'src/sum.js', ref: 'none' })).rejects.toMatchObject({
      status: 404,
      message: expect.stringContaining('No commit found for the ref none'),
    });
  });

  it('lists a folder', async () => {
    const { data } = await rest().repos.getContent({ ...repository, path: '' });
    expect(data).toMatchObject([
      { name: 'README.md', type: 'file', size: 7 },
      { name: 'src', type: 'dir', size: 0, download_url: null },
    ]);
    expect((await rest().repos.getContent({ ...repository, path: 'src' })).data).toMatchObject([
      { path: 'src/sum.js' },
    ]);
    expect((await rest().repos.getReadme(repository)).data.path).toBe('README.md');
  });

  it('leaves the content of a file above 1 MB out of JSON, and gives it raw', async () => {
    const big = 'x'.repeat(1024 * 1024 + 1);
    await trial.simulator.addRepository({ owner: 'owner', name: 'big', files: { big } });
    const place = { owner: 'owner', repo: 'big', path: 'big' };
    expect((await rest().repos.getContent(place)).data).toMatchObject({
      content: '',
      encoding: 'none',
      size: big.length,
    });
    expect((await rest().repos.getContent({ ...place, mediaType: { format: 'raw' } })).data).toBe(big);
  });

  it('lists a tree, with everything below it when asked, and says when it is cut off', async () => {
    const { git } = rest();
    const paths = async (options: object) => {
      const { data } = await git.getTree({ ...repository, tree_sha: 'main', ...options });
      return [data.tree.map(({ path, type }) => `${type} ${path}`), data.truncated];
    };
    expect(await paths({})).toEqual([['blob README.md', 'tree src'], false]);
    expect(await paths({ recursive: '1' })).toEqual([
      ['blob README.md', 'tree src', 'blob src/sum.js'],
      false,
    ]);
    await expect(git.getTree({ ...repository, tree_sha: 'none' })).rejects.toMatchObject({ status: 404 });
    const small = await startTrial({ maxTreeEntries: 2 });
    try {
      const { data } = await small
        .octokit()
        .rest.git.getTree({ ...repository, tree_sha: 'main', recursive: '1' });
      expect([data.tree.length, data.truncated]).toEqual([2, true]);
    } finally {
      await small.close();
    }
  });

  it('reads commits and blobs, and compares two branches', async () => {
    await trial.simulator.openPullRequest({
      repo: repositoryName,
      author: 'agent',
      title: 'x',
      headBranch: 'ahead',
      files: { a: 'a\n' },
    });
    const { git, repos } = rest();
    const { data: commit } = await git.getCommit({ ...repository, commit_sha: await headOf('ahead') });
    expect(commit).toMatchObject({
      message: 'Change a',
      author: { name: 'agent' },
      parents: [{ sha: await headOf('main') }],
    });
    const { data: file } = await repos.getContent({ ...repository, path: 'a', ref: 'ahead' });
    const { data: blob } = await git.getBlob({ ...repository, file_sha: 'sha' in file ? file.sha : '' });
    expect(Buffer.from(blob.content, 'base64').toString()).toBe('a\n');
    const { data: comparison } = await repos.compareCommitsWithBasehead({
      ...repository,
      basehead: 'main...ahead',
    });
    expect(comparison).toMatchObject({
      status: 'ahead',
      ahead_by: 1,
      behind_by: 0,
      files: [{ filename: 'a' }],
    });
    expect((await repos.listCommits({ ...repository, sha: 'ahead' })).data).toHaveLength(2);
    expect((await repos.getCommit({ ...repository, ref: 'ahead' })).data.sha).toBe(await headOf('ahead'));
  });

  it('says that a repository without commits is empty', async () => {
    await trial.simulator.addRepository({ owner: 'owner', name: 'empty', files: null });
    const empty = { owner: 'owner', repo: 'empty' };
    const { repos, git, pulls } = rest('owner-token');
    expect((await repos.get(empty)).data.default_branch).toBe('main');
    expect((await repos.listBranches(empty)).data).toEqual([]);
    await expect(repos.getContent({ ...empty, path: '' })).rejects.toMatchObject({
      status: 404,
      message: expect.stringContaining('This repository is empty.'),
    });
    const conflict = { status: 409, message: expect.stringContaining('Git Repository is empty.') };
    await expect(git.getTree({ ...empty, tree_sha: 'main' })).rejects.toMatchObject(conflict);
    await expect(git.getRef({ ...empty, ref: 'heads/main' })).rejects.toMatchObject(conflict);
    await expect(repos.listCommits(empty)).rejects.toMatchObject(conflict);
    await expect(repos.getBranch({ ...empty, branch: 'main' })).rejects.toMatchObject({ status: 404 });
    await expect(pulls.create({ ...empty, title: 'x', head: 'x', base: 'main' })).rejects.toMatchObject({
      status: 422,
    });
  });
});
