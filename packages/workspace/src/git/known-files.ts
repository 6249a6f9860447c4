import { chmod, lstat, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { removeTree, temporaryFile, temporaryPath } from '../machine/directories.ts';
import type { GitPlace } from './git-environment.ts';

const config = `[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = true
\tlogallrefupdates = false
`;

/** Ignored in every repository: what tools leave behind even where no .gitignore names it. */
const excluded = `node_modules/
__pycache__/
.venv/
.pytest_cache/
.DS_Store
${temporaryFile.prefix}*${temporaryFile.suffix}
`;

/** Outranks what the files of a worktree say: nothing is converted on the way into a snapshot or out of it. */
const byteForByte = '* -text !eol -ident -filter !working-tree-encoding\n';

const unwanted = [
  ...['info/grafts', 'objects/info/alternates', 'objects/info/http-alternates'],
  ...['hooks', 'config.worktree', 'commondir', 'shallow', 'remotes', 'branches'],
];

/**
 * A command that the model ran may have written into the git directory (where no sandbox keeps it out). Whatever
 * git reads there to decide what to do is put back to what we wrote; objects and branches stay.
 */
export async function restoreKnownFiles(place: GitPlace): Promise<void> {
  const at = (name: string) => join(place.commonDirectory, name);
  await ensureDirectory(place.commonDirectory);
  await Promise.all([
    ensureFile(at('config'), config),
    ensureFile(at('HEAD'), 'ref: refs/heads/main\n'),
    ensureDirectory(at('refs')),
    ensureDirectory(at('objects')),
    ...unwanted.map((name) => removeTree(at(name))),
  ]);
  await ensureFile(at('info/exclude'), excluded);
  if (place.snapshotsOf === undefined) await removeTree(at('info/attributes'));
  else await ensureFile(at('info/attributes'), byteForByte);
  if (place.workTree !== null && place.branch !== null) await restoreWorktreeFiles(place, place.workTree);
}

async function restoreWorktreeFiles(place: GitPlace, workTree: string): Promise<void> {
  const at = (name: string) => join(place.gitDirectory, name);
  await ensureDirectory(place.gitDirectory);
  await ensureDirectory(workTree);
  await Promise.all([
    ensureFile(at('HEAD'), `ref: refs/heads/${place.branch}\n`),
    ensureFile(at('commondir'), '../..\n'),
    ensureFile(at('gitdir'), `${join(workTree, '.git')}\n`),
    ensureFile(join(workTree, '.git'), `gitdir: ${place.gitDirectory}\n`),
    removeTree(at('config.worktree')),
  ]);
}

/**
 * Makes the file hold exactly this text, whatever is there: a link is replaced, never followed; a directory in
 * its place is removed. Writes nothing when the text is there already.
 */
async function ensureFile(path: string, text: string, mode = 0o644): Promise<void> {
  const state = await lstat(path).catch(() => null);
  if (state?.isFile() && state.nlink === 1 && (await readFile(path, 'utf8')) === text) return;
  if (state?.isDirectory()) await rm(path, { recursive: true, force: true });
  await ensureDirectory(dirname(path));
  const temporary = temporaryPath(dirname(path));
  await writeFile(temporary, text, { mode, flag: 'wx' });
  await rename(temporary, path);
}

/**
 * Makes the path a directory that is closed to other accounts: what else is there (a link, a file) is removed first. Parents are
 * made as needed.
 */
async function ensureDirectory(path: string): Promise<void> {
  const state = await lstat(path).catch(() => null);
  if (state?.isDirectory()) {
    if ((state.mode & 0o077) !== 0) await chmod(path, 0o700);
    return;
  }
  if (state !== null) await rm(path, { force: true });
  await mkdir(path, { recursive: true, mode: 0o700 });
}
