import type { CallOptions } from '@agent/platforms';
import { refuseLfsChanges } from '../contents/refuse-lfs-changes.ts';
import type { GitPlace } from '../git/git-environment.ts';
import { type GitContext, git, gitLine, updateRefs } from '../git/git-repository.ts';
import { gitSigning } from '../git/git-signing.ts';
import { listChanged } from '../git/list-changed.ts';
import { mergedRef } from '../git/mirror.ts';
import type { TaskPlace } from '../git/task-place.ts';
import { dropSpecialFiles, refuseLargeFiles, refuseUnsuitableRules } from '../git/worktree-files.ts';
import { WorkspaceError } from '../workspace-error.ts';
import { findMerged } from './merge-branch.ts';

/**
 * Commits everything that changed in the worktree: no hook, no editor. Repositories inside the
 * worktree (made by a tool, or submodules) are left as they are: nothing of theirs is read or run. Pipes and devices are removed.
 *
 * @param options toMessage: makes the message out of the paths that are committed, those that were there before first
 * @returns null when nothing differs from the branch's tip
 * @throws WorkspaceError `unsuitable-file` when a file is too large
 */
export async function commitAll(
  context: GitContext,
  options: {
    readonly place: TaskPlace;
    readonly toMessage: (changedFiles: readonly string[]) => Promise<string>;
  } & CallOptions,
): Promise<{ readonly sha: string } | null> {
  const { place, toMessage, signal } = options;
  const ref = `refs/heads/${place.branch}`;
  const { rules } = await dropSpecialFiles(context, place);
  await refuseUnsuitableRules(place.workTree, rules);
  if (rules.some((path) => path.endsWith('.gitattributes')))
    await refuseLfsChanges(context, { place, signal });
  const changed = await listChanged(context, { place, signal });
  const merged = await findMerged(context, { place, signal });
  if (changed.length === 0 && merged === null) return null;
  await refuseLargeFiles(
    place.workTree,
    changed.map(({ path }) => path),
  );
  const nested = await findNestedRepositories(context, { place, changed, signal });
  const wanted = ['.', ...nested.map((path) => `:(exclude,literal)${path}`)];
  await git(context, place, {
    args: ['add', '--all', '--pathspec-from-file=-', '--pathspec-file-nul'],
    input: wanted.join('\0'),
    doing: 'Collecting the changes',
    signal,
  });
  const tree = await required(gitLine(context, place, { args: ['write-tree'], signal }), 'the changed tree');
  const tip = await required(
    gitLine(context, place, { args: ['rev-parse', `${ref}^{commit}`, `${ref}^{tree}`], signal }),
    ref,
  );
  const [parent = '', before = ''] = tip.split('\n');
  if (tree === before && merged === null) return null;
  const paths = await listCommitted(context, { place, trees: [before, tree], signal });
  const committed = await gitSigning(context, place, {
    args: ['commit-tree', tree, ...['-p', parent], ...(merged === null ? [] : ['-p', merged]), '-F', '-'],
    input: await toMessage(paths),
    doing: 'Committing',
    signal,
  });
  const sha = committed.stdout.trim();
  await git(context, place, { args: ['update-ref', ref, sha, parent], doing: 'Committing', signal });
  if (merged !== null)
    await updateRefs(context, place, { refs: [{ ref: mergedRef(place.branch), sha: null }], signal });
  return { sha };
}

/** Paths by what is committed alone: what `git status` lists depends on how far an earlier attempt came. */
async function listCommitted(
  context: GitContext,
  { place, trees, signal }: { readonly place: GitPlace; readonly trees: readonly string[] } & CallOptions,
): Promise<readonly string[]> {
  const { stdout } = await git(context, place, {
    args: ['diff-tree', '-r', '-z', '--no-renames', '--name-status', ...trees],
    doing: 'Committing',
    signal,
  });
  const fields = stdout.split('\0');
  const changes = fields.flatMap((path, at) => (at % 2 === 1 ? { path, isNew: fields[at - 1] === 'A' } : []));
  return changes.toSorted((one, other) => Number(one.isNew) - Number(other.isNew)).map(({ path }) => path);
}

async function findNestedRepositories(
  context: GitContext,
  {
    place,
    changed,
    signal,
  }: {
    readonly place: GitPlace;
    readonly changed: readonly { readonly code: string; readonly path: string }[];
  } & CallOptions,
): Promise<readonly string[]> {
  const doing = 'Looking through the worktree';
  const staged = await git(context, place, { args: ['ls-files', '--stage', '-z'], doing, signal });
  const untracked = changed.filter(({ code }) => code === '??').map(({ path }) => path);
  const links = staged.stdout.split('\0').filter((entry) => entry.startsWith('160000 '));
  return [
    ...untracked.filter((path) => path.endsWith('/')).map((path) => path.slice(0, -1)),
    ...links.map((entry) => entry.slice(entry.indexOf('\t') + 1)),
  ];
}

async function required(line: Promise<string | null>, what: string): Promise<string> {
  const value = await line;
  if (value !== null && value !== '') return value;
  throw new WorkspaceError(
    `git could not read ${what}. Remove the task's workspace and start the task again.`,
    {
      code: 'git-failed',
    },
  );
}
