import type * as z from 'zod';
import { type RememberedIdentity, rememberIdentity } from '../http/connection-memory.ts';
import type { Account } from '../model.ts';
import { isNotFound, PlatformError } from '../platform-error.ts';
import type { AccessLevel, CallOptions, PermissionReader } from '../ports.ts';
import { type GitLabUser, memberSchema, toAccount, userSchema } from './gitlab-answers.ts';
import type { GitLabClient } from './gitlab-client.ts';
import type { GitLabThreadContext } from './gitlab-context.ts';

/**
 * Asks once who the token is; a project or group access token has an account of its own. Where a token may not ask,
 * the account with the configured name is it.
 *
 * @see https://docs.gitlab.com/api/users/#get-the-current-user
 */
export function createGitLabIdentity(
  client: GitLabClient,
  botName: string | null,
): RememberedIdentity<GitLabClient> {
  return rememberIdentity(client, (asker, options) => askForIdentity(asker, { botName, ...options }));
}

async function askForIdentity(
  client: GitLabClient,
  { botName, signal }: { readonly botName: string | null } & CallOptions,
): Promise<Account> {
  try {
    return requireAccount(await askWhoseToken(client, { signal }));
  } catch (error) {
    if (!PlatformError.isInstance(error) || error.code !== 'forbidden' || botName === null) throw error;
  }
  return requireAccount(await findUser(client, { login: botName, signal }));
}

function askWhoseToken(client: GitLabClient, { signal }: CallOptions): Promise<GitLabUser> {
  const call = {
    doing: 'ask whose token this is',
    repository: null,
    permission: 'scope api; if the token has less, set botName',
    route: 'GET /user',
    signal,
  };
  return client.ask(
    { ...call, send: (bound) => new bound.gitbeaker.Users(bound).showCurrentUser() },
    userSchema,
  );
}

function requireAccount(user: GitLabUser | null): Account {
  const account = toAccount(user);
  if (account !== null) return account;
  throw new PlatformError(
    'GitLab has no account with the name in botName. Set botName to the account of the token.',
    {
      code: 'not-found',
    },
  );
}

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
 * loses a role by that. Only a list of members that leaves the account out says that it has none; its 404 is no answer.
 */
async function askAgain(
  context: GitLabThreadContext,
  question: { readonly userId: number } & CallOptions,
): Promise<AccessLevel> {
  const { client, projectId, project } = context;
  await context.describeProject({ signal: question.signal });
  const { userId, signal } = question;
  const listed = await client.askAll(
    {
      doing: `ask what the account ${userId} may do in ${project}`,
      repository: project,
      route: 'GET /projects/{id}/members/all',
      send: (bound, page) =>
        new bound.gitbeaker.ProjectMembers(bound).all(projectId, {
          includeInherited: true,
          userIds: [userId],
          ...page,
        }),
      signal,
    },
    memberSchema,
  );
  const member = listed.find(({ id }) => id === userId);
  return member === undefined ? 'none' : toAccessLevel(member);
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
      route: 'GET /projects/{id}/members/all/{user_id}',
      send: (bound) =>
        new bound.gitbeaker.ProjectMembers(bound).show(projectId, userId, { includeInherited: true }),
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

/**
 * The account with a name, whatever its case; null when there is none.
 *
 * @see https://docs.gitlab.com/api/users/#list-users
 */
export async function findUser(
  client: GitLabClient,
  { login, signal }: { readonly login: string } & CallOptions,
): Promise<GitLabUser | null> {
  const { data } = await client.askPage(
    {
      doing: `find the account ${login}`,
      repository: null,
      route: 'GET /users',
      send: (bound, page) => new bound.gitbeaker.Users(bound).all({ username: login, ...page }),
      signal,
    },
    userSchema,
  );
  return data.find(({ username }) => username.toLowerCase() === login.toLowerCase()) ?? null;
}
