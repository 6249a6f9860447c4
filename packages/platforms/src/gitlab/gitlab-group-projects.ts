import type * as z from 'zod';
import { isNotFound, PlatformError } from '../platform-error.ts';
import type { FoundRepository, RepositoryFinder, RepositoryQuery } from '../repository-finder.ts';
import { listedProjectSchema } from './gitlab-answers.ts';
import type { GitLabClient } from './gitlab-client.ts';
import type { GitLabProjects } from './gitlab-projects.ts';

/**
 * Lists the projects of a group, with those of its subgroups where they are asked for, or of a user's own namespace. What other groups
 * share with it is theirs, and not listed.
 *
 * @see https://docs.gitlab.com/api/groups/#list-projects
 * @see https://docs.gitlab.com/api/projects/#list-a-users-projects
 */
export function createGitLabGroupProjects(
  client: GitLabClient,
  { projects }: { readonly projects: Pick<GitLabProjects, 'learn'> },
): RepositoryFinder {
  return {
    listRepositories: async (query) => {
      const prefix = `${query.owner.toLowerCase()}/`;
      const isAsked = (path: string) =>
        path.startsWith(prefix) && (query.subgroups || !path.slice(prefix.length).includes('/'));
      const listed = await listOfNamespace(client, query);
      const found = listed.filter(({ path_with_namespace: path }) => isAsked(path.toLowerCase()));
      for (const { id, path_with_namespace: path } of found) projects.learn(path, id);
      return found.map(toFound);
    },
  };
}

type Listed = z.output<typeof listedProjectSchema>;

function toFound(project: Listed): FoundRepository {
  const isLeaving = project.marked_for_deletion_on != null || project.marked_for_deletion_at != null;
  return {
    id: String(project.id),
    path: project.path_with_namespace,
    isFork: project.forked_from_project != null,
    isActive: project.archived !== true && !isLeaving,
  };
}

async function listOfNamespace(client: GitLabClient, query: RepositoryQuery): Promise<Listed[]> {
  try {
    return await listOfGroup(client, query);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return listOfUser(client, { ...query, cause: error });
  }
}

/** As they were made: what is new comes last, so that no page moves on while they are read. */
const order = { orderBy: 'id', sort: 'asc' } as const;

function listOfGroup(client: GitLabClient, { owner, subgroups, signal }: RepositoryQuery): Promise<Listed[]> {
  const filters = { includeSubgroups: subgroups, withShared: false, ...order };
  return client.askAll(
    {
      doing: `list the projects of ${owner}`,
      repository: null,
      route: 'GET /groups/{id}/projects',
      send: (bound, page) => new bound.gitbeaker.Groups(bound).allProjects(owner, { ...filters, ...page }),
      signal,
    },
    listedProjectSchema,
  );
}

async function listOfUser(
  client: GitLabClient,
  { owner, signal, cause }: RepositoryQuery & { readonly cause: unknown },
): Promise<Listed[]> {
  const call = {
    doing: `list the projects of ${owner}`,
    repository: null,
    route: 'GET /users/{user_id}/projects',
    signal,
  };
  try {
    // The keyset of this list is by id; pages by number are asked for as everywhere else.
    return await client.askAll(
      {
        ...call,
        send: (bound, page) =>
          new bound.gitbeaker.Users(bound).allProjects<false, 'offset'>(owner, { ...order, ...page }),
      },
      listedProjectSchema,
    );
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const message = `GitLab shows no group or user ${owner}: check the spelling, or the token lacks access.`;
    throw new PlatformError(message, { code: 'not-found', cause });
  }
}
