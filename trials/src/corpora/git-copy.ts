import { execFileSync } from 'node:child_process';

const maxBuffer = 512 * 1024 * 1024;

function git(copy: string, ...args: readonly string[]): string {
  return execFileSync('git', ['--git-dir', copy, ...args], { maxBuffer }).toString();
}

/** Lists the files of a fetched copy below a folder. `copy`: a git directory. */
export function listFiles(copy: string, folder: string): readonly string[] {
  return git(copy, 'ls-tree', '-r', '--name-only', '-z', 'HEAD', folder)
    .split('\0')
    .filter((file) => file !== '');
}

export function readFile(copy: string, file: string): string {
  return git(copy, 'show', `HEAD:${file}`);
}

/** Commit of a fetched copy, shortened. */
export function readCommit(copy: string): string {
  return git(copy, 'rev-parse', '--short=10', 'HEAD').trim();
}
