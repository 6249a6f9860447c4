import { listRefs } from '../../shared/git/refs.ts';
import type { Project } from '../state/model.ts';
import type { World } from '../world.ts';

const prefix = 'refs/heads/';

/** Names of a project's branches with their commits, sorted by name. */
export async function readBranches(
  { git }: Pick<World, 'git'>,
  project: Project,
): Promise<ReadonlyMap<string, string>> {
  if (!project.hasGit) return new Map();
  const refs = await listRefs(git, project.gitDirectory, prefix);
  return new Map(refs.map(({ name, sha }) => [name.slice(prefix.length), sha]));
}
