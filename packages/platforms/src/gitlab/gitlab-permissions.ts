import { ProjectMembers, Users } from '@gitbeaker/rest';
import * as z from 'zod';
import { isNotFound } from '../is-not-found.ts';
import type { AccessLevel, CallOptions, PermissionReader } from '../ports.ts';
import type { GitLabThreadContext } from './gitlab-context.ts';
import { describeProject } from './gitlab-projects.ts';
import { memberSchema, userSchema } from './gitlab-schemas.ts';

/**
 * Asks for the role of a member, inherited from groups or not. Whoever is no member may read what is public, and has
 * nothing here.
 *
 * @see https://docs.gitlab.com/api/project_members/
 */
export function createGitLabPermissions(context: GitLabThreadContext): PermissionReader {
  return {
    accessOf: async (account, { signal } = {}) => {
      const userId =
        account.id === '' ? await findUserId(context, { login: account.login, signal }) : account.id;
      if (userId === null || !/^\d+$/u.test(userId)) return 'none';
      try {
        const member = await readMember(context, { userId: Number(userId), signal });
        return member.state === 'blocked' ? 'none' : toAccessLevel(member.access_level);
      } catch (error) {
        if (!isNotFound(error)) throw error;
        // GitLab says 404 for somebody who is no member and for a project that we may not see.
        const { client, projectId, project } = context;
        await describeProject(client, { id: projectId, name: project, signal });
        return 'none';
      }
    },
  };
}

/** 50 owner, 40 maintainer, 30 developer, 20 reporter, 15 planner, 10 guest, 5 minimal access. */
function toAccessLevel(level: number): AccessLevel {
  if (level >= 40) return 'admin';
  if (level >= 30) return 'write';
  return level >= 10 ? 'read' : 'none';
}

function readMember(
  { client, projectId, project }: GitLabThreadContext,
  { userId, signal }: { readonly userId: number } & CallOptions,
) {
  return client.ask(
    {
      doing: `ask what the account ${userId} may do in ${project}`,
      repository: project,
      permission: 'scope api',
      route: 'GET /projects/{id}/members/all/{user_id}',
      send: (bound) => new ProjectMembers(bound).show(projectId, userId, { includeInherited: true }),
      signal,
    },
    memberSchema,
  );
}

/** @see https://docs.gitlab.com/api/users/#list-users */
async function findUserId(
  { client }: GitLabThreadContext,
  { login, signal }: { readonly login: string } & CallOptions,
): Promise<string | null> {
  const users = await client.ask(
    {
      doing: `find the account ${login}`,
      repository: null,
      permission: 'scope api',
      route: 'GET /users',
      send: (bound, page) => new Users(bound).all({ username: login, ...page }),
      signal,
    },
    z.array(userSchema),
  );
  const found = users.find(({ username }) => username.toLowerCase() === login.toLowerCase());
  return found === undefined ? null : String(found.id);
}
