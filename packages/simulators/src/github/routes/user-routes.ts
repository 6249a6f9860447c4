import { ok } from '../http/answers.ts';
import { viewerOf } from '../http/requirements.ts';
import { type Answer, type Call, parameter, type Route, route } from '../http/route.ts';
import { forbidden, notAccessible, notFound } from '../state/refusal.ts';
import { findUser } from '../state/users.ts';
import { showProfile } from '../views/user-view.ts';

/** Accounts. */
export const userRoutes: readonly Route[] = [
  route('GET /user', 'users/users#get-the-authenticated-user', showViewer),
  route('GET /users/{username}', 'users/users#get-a-user', showNamedUser),
];

function showViewer(call: Call): Answer {
  if (call.token?.installation) throw forbidden(notAccessible(call.token));
  return ok(showProfile(viewerOf(call), call.urls));
}

function showNamedUser(call: Call): Answer {
  const user = findUser(call.state, parameter(call, 'username'));
  if (!user) throw notFound();
  return ok(showProfile(user, call.urls));
}
