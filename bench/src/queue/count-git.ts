import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

/** Counts the git processes that a daemon starts. */
export interface CountedGit {
  /** For the daemon: its git is one that leaves a mark and then becomes the real one. */
  readonly environment: Readonly<Record<string, string>>;
  readonly count: () => Promise<number>;
}

/** Puts a counting `git` into a folder below this directory, before the real one. */
export async function countGit(directory: string): Promise<CountedGit> {
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', 'command -v git']);
  const folder = join(directory, 'counting-git');
  const marks = join(directory, 'git-marks');
  await mkdir(folder);
  await writeFile(marks, '');
  await writeFile(join(folder, 'git'), `#!/bin/sh\necho x >> '${marks}'\nexec '${stdout.trim()}' "$@"\n`);
  await chmod(join(folder, 'git'), 0o755);
  return {
    environment: { PATH: `${folder}${delimiter}${process.env.PATH ?? ''}` },
    count: async () => (await readFile(marks, 'utf8')).split('\n').filter((line) => line === 'x').length,
  };
}
