import { join } from 'node:path';
import type { GitPlace } from './git-environment.ts';
import { ensureDirectory, ensureFile, temporaryFile } from './known-files.ts';
import { removeTree } from './remove-tree.ts';

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

const unwanted = [
  ...['info/attributes', 'info/grafts', 'objects/info/alternates', 'objects/info/http-alternates'],
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
