import type { GitPlace } from './git-environment.ts';
import { type CallOptions, type GitContext, git, gitLine, tipOf } from './git-repository.ts';
import { WorkspaceError } from './workspace-error.ts';

/**
 * Commits everything that changed in the worktree: no hook, no signature, no editor. Repositories inside the
 * worktree (made by a tool, or submodules) are left as they are: nothing of theirs is read or run.
 *
 * @returns null when nothing differs from the branch's tip
 */
export async function commitAll(
  context: GitContext,
  options: { readonly place: GitPlace; readonly message: string } & CallOptions,
): Promise<{ readonly sha: string } | null> {
  const { place, message, signal } = options;
  const ref = `refs/heads/${place.branch}`;
  const nested = await findNestedRepositories(context, { place, signal });
  const paths = ['.', ...nested.map((path) => `:(exclude,literal)${path}`)];
  await git(context, place, {
    args: ['add', '--all', '--pathspec-from-file=-', '--pathspec-file-nul'],
    input: paths.join('\0'),
    doing: 'Collecting the changes',
    signal,
  });
  const tree = await required(gitLine(context, place, { args: ['write-tree'], signal }), 'the changed tree');
  const parent = await required(tipOf(context, place, { ref, signal }), ref);
  const before = await gitLine(context, place, { args: ['rev-parse', `${parent}^{tree}`], signal });
  if (tree === before) return null;
  const committed = await git(context, place, {
    args: ['commit-tree', tree, '-p', parent, '-F', '-'],
    input: message,
    doing: 'Committing',
    signal,
  });
  const sha = committed.stdout.trim();
  await git(context, place, { args: ['update-ref', ref, sha, parent], doing: 'Committing', signal });
  return { sha };
}

async function findNestedRepositories(
  context: GitContext,
  { place, signal }: { readonly place: GitPlace } & CallOptions,
): Promise<readonly string[]> {
  const doing = 'Looking through the worktree';
  const others = await git(context, place, {
    args: ['ls-files', '--others', '--exclude-standard', '-z'],
    doing,
    signal,
  });
  const staged = await git(context, place, { args: ['ls-files', '--stage', '-z'], doing, signal });
  const untracked = others.stdout.split('\0').filter((path) => path.endsWith('/'));
  const links = staged.stdout.split('\0').filter((entry) => entry.startsWith('160000 '));
  return [
    ...untracked.map((path) => path.slice(0, -1)),
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
