import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Forge } from './forge.ts';

const run = promisify(execFile);

/** What a story asks of a forge's repository, with git itself. */
export function readWithGit(
  cwd: string,
): Pick<Forge, 'branches' | 'readFile' | 'authorsOf' | 'subjectsOf' | 'gitDirectory'> {
  const git = async (...args: string[]): Promise<string> => (await run('git', args, { cwd })).stdout;
  const lines = async (...args: string[]): Promise<string[]> =>
    (await git(...args)).split('\n').filter((line) => line !== '');
  return {
    gitDirectory: cwd,
    branches: () => lines('for-each-ref', '--format=%(refname:short)', 'refs/heads/'),
    readFile: (branch, path) => git('show', `${branch}:${path}`),
    authorsOf: (branch) => lines('log', '--format=%an', `main..${branch}`),
    subjectsOf: (branch) => lines('log', '--format=%s', `main..${branch}`),
  };
}
