import { constants } from 'node:fs';
import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CallOptions } from '@agent/platforms';
import type { GitPlace } from './git-environment.ts';
import { type GitContext, git } from './git-repository.ts';
import { listChanged } from './list-changed.ts';
import { startRef } from './mirror.ts';
import type { WorkspaceTask } from './workspace-task.ts';
import { dropSpecialFiles, refuseUnsuitableRules } from './worktree-files.ts';

/** Larger files are data rather than text that somebody wrote. */
const maxFileBytes = 1024 * 1024;
const maxPatchChars = 8 * 1024 * 1024;

/**
 * Reads what the worktree has by now that the run did not begin with, committed or not, new files included, as a unified diff
 * without binary files; beyond 8 Mi characters it is cut.
 *
 * @returns null when nothing differs
 * @throws WorkspaceError `unsuitable-file` for rules of git that are none
 */
export async function readPatch(
  context: GitContext,
  options: {
    readonly task: WorkspaceTask;
    readonly place: GitPlace & { readonly workTree: string };
  } & CallOptions,
): Promise<string | null> {
  const { task, place, signal } = options;
  const { rules } = await dropSpecialFiles(context, place);
  await refuseUnsuitableRules(place.workTree, rules);
  const plain = ['--no-color', '--no-ext-diff', '--no-textconv', '--no-renames', '--ignore-submodules=all'];
  const names = ['--src-prefix=a/', '--dst-prefix=b/'];
  const { stdout } = await git(context, place, {
    args: ['-c', 'core.quotePath=false', 'diff', ...plain, ...names, startRef(task.uuid), '--'],
    doing: 'Reading the changes',
    signal,
  });
  const changed = await listChanged(context, { place, signal });
  const untracked = changed.filter(({ code, path }) => code === '??' && !path.endsWith('/'));
  const parts = [stdout];
  for (const { path } of untracked) parts.push(await formatNewFile(place.workTree, path));
  const patch = parts.join('').slice(0, maxPatchChars);
  return patch === '' ? null : patch;
}

/** The file as a diff that adds it; empty for a link, and for what is no text. */
async function formatNewFile(workTree: string, path: string): Promise<string> {
  const file = join(workTree, path);
  const { size } = await lstat(file).then(
    (found) => (found.isFile() ? found : { size: 0 }),
    () => ({ size: 0 }),
  );
  if (size === 0 || size > maxFileBytes) return '';
  // It may have been replaced by a link since.
  const flag = constants.O_RDONLY | constants.O_NOFOLLOW;
  const text = await readFile(file, { encoding: 'utf8', flag }).catch(() => '\0');
  if (text.includes('\0')) return '';
  const lines = text.replace(/\n$/, '').split('\n');
  const head = [`diff --git a/${path} b/${path}`, 'new file mode 100644', '--- /dev/null', `+++ b/${path}`];
  return [...head, `@@ -0,0 +1,${lines.length} @@`, ...lines.map((line) => `+${line}`), ''].join('\n');
}
