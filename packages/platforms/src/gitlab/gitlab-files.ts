import { Repositories } from '@gitbeaker/rest';
import { isNotFound } from '../is-not-found.ts';
import type { CallOptions } from '../ports.ts';
import type { GitLabThreadContext } from './gitlab-context.ts';
import { describeProject } from './gitlab-projects.ts';
import { treeEntrySchema } from './gitlab-schemas.ts';

/**
 * Paths of all files at a ref, sorted.
 *
 * @see https://docs.gitlab.com/api/repositories/#list-repository-tree
 */
export async function listRepositoryFiles(
  context: GitLabThreadContext,
  { ref, signal }: { readonly ref?: string | undefined } & CallOptions,
): Promise<string[]> {
  const { client, projectId, project } = context;
  const query = { recursive: true, pagination: 'keyset', ...(ref === undefined ? {} : { ref }) } as const;
  const call = {
    doing: `list the files of ${project} at ${ref ?? 'its default branch'}`,
    repository: project,
    permission: 'scope api',
    route: 'GET /projects/{id}/repository/tree',
    signal,
  };
  try {
    const entries = await client.askAll(
      {
        ...call,
        send: (bound, page) => new Repositories(bound).allRepositoryTrees(projectId, { ...query, ...page }),
      },
      treeEntrySchema,
    );
    return entries
      .filter(({ type }) => type === 'blob')
      .map(({ path }) => path)
      .sort();
  } catch (error) {
    if (ref === undefined && isNotFound(error) && (await isEmpty(context, { signal }))) return [];
    throw error;
  }
}

/** GitLab says 404 for the tree of a project without commits. */
async function isEmpty(
  { client, projectId, project: name }: GitLabThreadContext,
  { signal }: CallOptions,
): Promise<boolean> {
  const project = await describeProject(client, { id: projectId, name, signal });
  return project.empty_repo ?? project.default_branch == null;
}
