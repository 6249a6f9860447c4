import { paged } from '../http/pagination.ts';
import { authenticated, numberParameter, onProject, type ProjectCall } from '../http/requirements.ts';
import { type Answer, ok, type Route, route } from '../http/route.ts';
import { listMembers, type Membership } from '../state/access.ts';
import { notFound } from '../state/refusal.ts';
import { seededUser } from '../state/users.ts';
import { showUser } from '../views/user-view.ts';

const members = '/projects/{id}/members';

/** Routes of a project's members: its own, and with `all` through its groups too. @see https://docs.gitlab.com/api/project_members/ */
export const memberRoutes: readonly Route[] = [
  route(`GET ${members}`, authenticated(onProject((call) => list(call, false)))),
  route(`GET ${members}/all`, authenticated(onProject((call) => list(call, true)))),
  route(`GET ${members}/all/{user_id}`, authenticated(onProject((call) => getOne(call, true)))),
  route(`GET ${members}/{user_id}`, authenticated(onProject((call) => getOne(call, false)))),
];

function list(call: ProjectCall, inherited: boolean): Answer {
  const search = call.query.get('query')?.toLowerCase();
  const found = listMembers(call.state, call.project, { inherited }).filter(
    ({ username }) => !search || username.includes(search),
  );
  return paged(call, found, { show: (member) => show(call, member) });
}

function getOne(call: ProjectCall, inherited: boolean): Answer {
  const id = numberParameter(call, 'user_id');
  const found = listMembers(call.state, call.project, { inherited }).find(
    ({ username }) => seededUser(call.state, username).id === id,
  );
  if (!found) throw notFound();
  return ok(show(call, found));
}

function show(call: ProjectCall, { username, level }: Membership) {
  const user = seededUser(call.state, username);
  return {
    ...showUser(call, user),
    access_level: level,
    created_at: call.project.createdAt,
    expires_at: null,
    membership_state: 'active',
  };
}
