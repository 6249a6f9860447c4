import { ok } from '../http/answers.ts';
import { paged } from '../http/pagination.ts';
import { onRepository, type RepositoryCall, reads } from '../http/requirements.ts';
import { type Answer, parameter, type Route, route } from '../http/route.ts';
import { may, roleOf } from '../state/access.ts';
import type { Role, User } from '../state/model.ts';
import { forbidden, notFound, Refusal } from '../state/refusal.ts';
import { findUser } from '../state/users.ts';
import type { Vendor } from '../vendor.ts';
import { showFullRepository, showPermissions } from '../views/repository-view.ts';
import { showUser } from '../views/user-view.ts';

const address = '/repos/{owner}/{repo}';
const collaborators = 'collaborators/collaborators';

/** A repository and who may do what in it. */
export const repositoryRoutes: readonly Route[] = [
  route(
    `GET ${address}`,
    'repos/repos#get-a-repository',
    onRepository(reads(), (call) => ok(showFullRepository(call.repository, call))),
  ),
  route(
    `GET ${address}/collaborators`,
    `${collaborators}#list-repository-collaborators`,
    onRepository(reads(), listCollaborators),
  ),
  route(
    `GET ${address}/collaborators/{username}`,
    `${collaborators}#check-if-a-user-is-a-repository-collaborator`,
    onRepository(reads(), checkCollaborator),
  ),
  route(
    `GET ${address}/collaborators/{username}/permission`,
    `${collaborators}#get-repository-permissions-for-a-user`,
    onRepository(reads(), showPermission),
  ),
];

/** The older names, which know neither triage nor maintain. */
const legacyPermissions: Readonly<Record<Role, string>> = {
  admin: 'admin',
  maintain: 'write',
  write: 'write',
  triage: 'read',
  read: 'read',
};

function showPermission(call: RepositoryCall): Answer {
  const { repository } = call;
  mustPush(call, 'Must have push access to view collaborator permission.');
  const login = parameter(call, 'username');
  const user = findUser(call.state, login);
  // An app has no role in a repository, but permissions.
  const isApp = [...call.state.apps.values()].some(({ bot }) => bot === user);
  if (!user || isApp) throw notFound(`${login} is not a user`);
  const role = roleOf(repository, user);
  const body: Vendor['repository-collaborator-permission'] = {
    permission: role ? legacyPermissions[role] : 'none',
    role_name: role ?? 'none',
    user: showCollaborator(call, user),
  };
  return ok(body);
}

function listCollaborators(call: RepositoryCall): Answer {
  mustPush(call, 'Must have push access to view repository collaborators.');
  const logins = [call.repository.owner.login, ...call.repository.collaborators.keys()];
  const users = logins.flatMap((login) => findUser(call.state, login) ?? []);
  const people = users.filter(({ type }) => type !== 'Organization');
  return paged(call, people, (user) => showCollaborator(call, user));
}

function checkCollaborator(call: RepositoryCall): Answer {
  mustPush(call, 'Must have push access to view repository collaborators.');
  const user = findUser(call.state, parameter(call, 'username'));
  const { repository } = call;
  const isOne = user && (user === repository.owner || repository.collaborators.has(user.login.toLowerCase()));
  if (!isOne) throw notFound();
  return { status: 204 };
}

function showCollaborator(call: RepositoryCall, user: User): Vendor['collaborator'] {
  const role = roleOf(call.repository, user);
  return { ...showUser(user, call.urls), permissions: showPermissions(role), role_name: role ?? 'none' };
}

function mustPush(call: RepositoryCall, message: string): void {
  if (!call.viewer) throw new Refusal({ status: 401, message: 'Requires authentication' });
  if (!may(call.repository, call.viewer, 'write')) throw forbidden(message);
}
