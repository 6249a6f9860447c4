import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGit } from '../../shared/git/git.ts';
import { mergeByFile, mergeTrees } from '../../shared/git/merging.ts';
import { repositoryName, startTrial, type Trial } from '../trial.ts';

let trial: Trial;

beforeEach(async () => {
  trial = await startTrial();
});

afterEach(() => trial.close());

const open = (headBranch: string, files: Record<string, string>) =>
  trial.simulator.openPullRequest({ repo: repositoryName, author: 'agent', title: 'x', headBranch, files });

describe('merging in the simulated GitHub', () => {
  it.each([
    ['this git', mergeTrees],
    ['an older git', mergeByFile],
  ])('merges with %s what does not conflict, and says what does', async (_, merge) => {
    await open('one', { 'README.md': '# One\n' });
    await open('two', { 'README.md': '# Two\n' });
    await open('three', { 'new.txt': 'new\n' });
    const directory = trial.simulator.gitDirectory(repositoryName);
    const git = createGit(directory);
    const tree = merge(git, directory, ['refs/heads/one', 'refs/heads/three']);
    const files = git.readSync(directory, ['ls-tree', '-r', '--name-only', tree ?? '']);
    expect(files.split('\n')).toEqual(['README.md', 'new.txt', 'src/sum.js']);
    expect(merge(git, directory, ['refs/heads/one', 'refs/heads/two'])).toBeNull();
  });
});
