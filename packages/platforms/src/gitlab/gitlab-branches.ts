import { Branches } from '@gitbeaker/rest';
import type { Branch } from '../model.ts';
import { isNotFound, PlatformError } from '../platform-error.ts';
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

/**
 * GitLab opens merge requests from branches that are not there; nobody can do anything with them.
 *
 * @throws PlatformError `invalid` when the branch was not pushed
 */
export async function requireBranch(
  { client, projectId, project }: GitLabThreadContext,
  { name, signal }: { readonly name: string } & CallOptions,
): Promise<void> {
  const call = {
    doing: `find the branch ${name} in ${project}`,
    repository: project,
    permission: 'scope api',
    route: 'GET /projects/{id}/repository/branches/{branch}',
    signal,
  };
  try {
    await client.ask({ ...call, send: (bound) => new Branches(bound).show(projectId, name) }, branchSchema);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const message = `There is no branch ${name} in ${project}: push it before its merge request is opened.`;
    throw new PlatformError(message, { code: 'invalid', cause: error });
  }
}
