import { commitFiles } from './commit-files.ts';
import { findMergeBase } from './commits.ts';
import type { Git } from './git.ts';
import { listRefs } from './refs.ts';

/** Files that somebody commits to a branch. */
export interface FilesCommit {
  readonly branch: string;
  /** Branch that a new one is made from. */
  readonly base: string;
  readonly files: Readonly<Record<string, string>>;
  /** Rewrites the branch: the commit takes the place of its newest one (`amend`), or of all that its base has not (`reset`). */
  readonly force?: 'amend' | 'reset' | undefined;
  readonly author: { readonly name: string; readonly email: string };
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Commits files to a branch, which is made where it does not exist; returns the commit's id. */
export async function commitToBranch(git: Git, directory: string, commit: FilesCommit): Promise<string> {
  const { branch, base, files, force, author, now } = commit;
  const shaOf = async (name: string) => {
    const refs = await listRefs(git, directory, 'refs/heads/');
    return refs.find((ref) => ref.name === `refs/heads/${name}`)?.sha ?? null;
  };
  const [tip, trunk] = [await shaOf(branch), await shaOf(base)];
  const fork = () => findMergeBase(git, directory, [trunk ?? '', tip ?? '']);
  const parents = { amend: () => git.readSync(directory, ['rev-parse', `${tip}^`]), reset: () => fork() };
  await commitFiles(git, directory, {
    branch,
    parent: force && tip ? await parents[force]() : (tip ?? trunk),
    files,
    author,
    message: `Change ${Object.keys(files).join(', ')}`,
    time: Math.floor(now / 1000),
  });
  return (await shaOf(branch)) ?? '';
}
