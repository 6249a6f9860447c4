import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Lists what changed in a clone since it left a branch: commits, the index, the work tree and new files, each path once.
 * Files that are gone are left out.
 *
 * @throws when there is no such branch.
 */
export function listChanged(root: string, base: string): readonly string[] {
  const git = (...args: readonly string[]): readonly string[] =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' })
      .split('\0')
      .filter((path) => path !== '');
  const [left = base] = execFileSync('git', ['merge-base', base, 'HEAD'], {
    cwd: root,
    encoding: 'utf8',
  }).split('\n');
  const paths = [
    ...git('diff', '--name-only', '-z', left),
    ...git('ls-files', '-z', '--others', '--exclude-standard'),
  ];
  return [...new Set(paths)].filter((path) => existsSync(join(root, path))).sort();
}
