import { ProjectMembers } from '@gitbeaker/rest';
import type * as z from 'zod';
import { isNotFound } from '../platform-error.ts';
import type { AccessLevel, CallOptions, PermissionReader } from '../ports.ts';
import { findUser } from './find-user.ts';
import type { GitLabThreadContext } from './gitlab-context.ts';
import { describeProject } from './gitlab-projects.ts';
import { memberSchema } from './gitlab-schemas.ts';

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
      if (!/^\d+$/u.test(userId)) return 'none';
      const question = { userId: Number(userId), signal };
      try {
        return toAccessLevel(await readMember(context, question));
      } catch (error) {
        if (!isNotFound(error)) throw error;
        return askAgain(context, question);
      }
    },
  };
}

/**
 * GitLab says 404 for somebody who is no member, for a project that we may not see, and now and then in passing: nobody
 * loses a role by one answer.
 */
async function askAgain(
  context: GitLabThreadContext,
  question: { readonly userId: number } & CallOptions,
): Promise<AccessLevel> {
  const { client, projectId, project } = context;
  await describeProject(client, { id: projectId, name: project, signal: question.signal });
  try {
    return toAccessLevel(await readMember(context, question));
  } catch (error) {
    if (isNotFound(error)) return 'none';
    throw error;
  }
}

/** 50 owner, 40 maintainer, 30 developer, 20 reporter, 15 planner, 10 guest, 5 minimal access. */
function toAccessLevel({ state, access_level: level }: z.output<typeof memberSchema>): AccessLevel {
  if (state === 'blocked') return 'none';
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

async function findUserId(
  { client }: GitLabThreadContext,
  question: { readonly login: string } & CallOptions,
): Promise<string> {
  const user = await findUser(client, question);
  return user === null ? '' : String(user.id);
}
