import { Branches } from '@gitbeaker/rest';
import type { Branch } from '../model.ts';
import type { CallOptions } from '../ports.ts';
import type { GitLabThreadContext } from './gitlab-context.ts';
import { branchSchema } from './gitlab-schemas.ts';

/**
 * Branches whose name begins with the prefix, sorted by name.
 *
 * @see https://docs.gitlab.com/api/branches/#list-repository-branches
 */
export async function listProjectBranches(
  { client, projectId, project }: GitLabThreadContext,
  { prefix, signal }: { readonly prefix: string } & CallOptions,
): Promise<readonly Branch[]> {
  const call = {
    doing: `list the branches of ${project} that begin with ${prefix}`,
    repository: project,
    permission: 'scope api',
    route: 'GET /projects/{id}/repository/branches',
    signal,
  };
  const branches = await client.askAll(
    {
      ...call,
      send: (bound, page) => new Branches(bound).all(projectId, { search: `^${prefix}`, ...page }),
    },
    branchSchema,
  );
  return branches
    .filter(({ name }) => name.startsWith(prefix))
    .map(({ name, commit }) => ({ name, sha: commit.id }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}
