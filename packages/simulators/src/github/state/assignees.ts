import { may, roleOf } from './access.ts';
import { takeId, timestamp } from './create-state.ts';
import type { State, Thread, User } from './model.ts';
import { findUser } from './users.ts';

const maxAssignees = 10;

/**
 * Assigns those of the logins that can be assigned; GitHub ignores the others in silence. Does not bump `updated_at`.
 * @see https://docs.github.com/rest/issues/assignees#add-assignees-to-an-issue
 */
export function addAssignees(
  state: State,
  thread: Thread,
  { logins, by }: { readonly logins: readonly string[]; readonly by: User },
): void {
  for (const login of logins) {
    const user = findUser(state, login);
    if (!user || !isAssignable(thread, user) || thread.assignees.size >= maxAssignees) continue;
    if (!thread.assignees.has(user.login.toLowerCase()))
      thread.events.push({
        id: takeId(state),
        createdAt: timestamp(state),
        kind: 'assigned',
        actor: by,
        assignee: user,
      });
    thread.assignees.set(user.login.toLowerCase(), user);
  }
}

/** Takes assignees off; those who are not assigned are ignored. */
export function removeAssignees(thread: Thread, logins: readonly string[]): void {
  for (const login of logins) thread.assignees.delete(login.toLowerCase());
}

/** People with access to the repository, and on a public one whoever wrote on the thread. */
function isAssignable(thread: Thread, user: User): boolean {
  const { repository } = thread;
  if (user.type === 'Organization') return false;
  if (repository.private) return roleOf(repository, user) !== null;
  const takesPart =
    thread.author === user || [...thread.comments.values()].some(({ author }) => author === user);
  return (
    takesPart || may(repository, user, 'triage') || repository.collaborators.has(user.login.toLowerCase())
  );
}
