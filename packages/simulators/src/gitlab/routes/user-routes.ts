import { z } from 'zod';
import { inputOf } from '../http/input.ts';
import { paged } from '../http/pagination.ts';
import { authenticated, numberParameter, viewerOf } from '../http/requirements.ts';
import { type Answer, type Call, ok, type Route, route } from '../http/route.ts';
import { forbidden, notFound } from '../state/refusal.ts';
import { findUserById } from '../state/users.ts';
import { showCurrentUser, showUser } from '../views/user-view.ts';

/** Accounts. @see https://docs.gitlab.com/api/users/ */
export const userRoutes: readonly Route[] = [
  route('GET /user', (call) => ok(showCurrentUser(call, viewerOf(call)))),
  route('GET /users', listUsers),
  route('GET /users/{user_id}', authenticated(getUser)),
];

const filter = z.object({ username: z.string().optional(), search: z.string().optional() });

function listUsers(call: Call): Answer {
  const { username, search } = inputOf(call, filter);
  if (!call.viewer && !username) throw forbidden('Not authorized to access /api/v4/users');
  const users = [...call.state.users.values()].filter((user) => {
    if (user.isDeleted) return false;
    if (username !== undefined && user.username.toLowerCase() !== username.toLowerCase()) return false;
    return (
      search === undefined || `${user.username}\n${user.name}`.toLowerCase().includes(search.toLowerCase())
    );
  });
  // Newest first, as all lists of accounts are.
  return paged(
    call,
    users.sort((one, other) => other.id - one.id),
    { show: (user) => showUser(call, user) },
  );
}

function getUser(call: Call): Answer {
  const user = findUserById(call.state, numberParameter(call, 'user_id'));
  if (!user) throw notFound('User');
  return ok({ ...showUser(call, user), created_at: user.createdAt, bot: user.bot });
}
