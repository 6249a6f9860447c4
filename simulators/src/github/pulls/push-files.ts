import { commitFiles } from '../../shared/git/commit-files.ts';
import { findMergeBase } from '../../shared/git/commits.ts';
import { listRefs } from '../../shared/git/refs.ts';
import type { Repository, User } from '../state/model.ts';
import { commitIdentity } from './commit-identity.ts';
import { syncAfterPush } from './sync-pulls.ts';
import type { World } from './world.ts';

export interface FilesPush {
  readonly author: User;
  readonly branch: string;
  /** Branch that a new one is made from. */
  readonly base: string;
  readonly files: Readonly<Record<string, string>>;
  readonly force?: 'amend' | 'reset';
}

/** Commits files to a branch as somebody's push, and brings pull requests up to date; returns the commit's id. */
export async function pushFiles(world: World, repository: Repository, push: FilesPush): Promise<string> {
  const { author, branch, base, files, force } = push;
  const { git, state } = world;
  const directory = repository.gitDirectory;
  const shaOf = async (name: string) => {
    const refs = await listRefs(git, directory, 'refs/heads/');
    return refs.find((ref) => ref.name === `refs/heads/${name}`)?.sha ?? null;
  };
  const [tip, trunk] = [await shaOf(branch), await shaOf(base)];
  const parents = { amend: () => git.readSync(directory, ['rev-parse', `${tip}^`]), reset: () => fork() };
  const fork = () => findMergeBase(git, directory, [trunk ?? '', tip ?? '']);
  await commitFiles(git, directory, {
    branch,
    parent: force && tip ? await parents[force]() : (tip ?? trunk),
    files,
    author: commitIdentity(author),
    message: `Change ${Object.keys(files).join(', ')}`,
    time: Math.floor(state.now() / 1000),
  });
  await syncAfterPush(world, repository, author);
  return (await shaOf(branch)) ?? '';
}
