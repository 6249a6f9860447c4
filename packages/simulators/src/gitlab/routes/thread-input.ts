import { z } from 'zod';
import { boolean, ids, integer, names } from '../http/input.ts';
import { type ThreadCall, viewerOf } from '../http/requirements.ts';
import { maySee, maySetMetadata, mayUpdate } from '../state/access.ts';
import type { ThreadEdit } from '../state/edit-thread.ts';
import type { Project, State, User } from '../state/model.ts';
import { forbidden } from '../state/refusal.ts';
import { findUserById } from '../state/users.ts';

/** Fields that creating and editing, issues and merge requests take alike. */
export const threadFields = {
  description: z.string().nullish(),
  labels: names.optional(),
  assignee_ids: ids.optional(),
  assignee_id: z.union([integer, z.literal('')]).optional(),
};

/** Fields that only editing takes. */
export const editFields = {
  add_labels: names.optional(),
  remove_labels: names.optional(),
  state_event: z.enum(['close', 'reopen']).optional(),
  discussion_locked: boolean.nullish(),
};

const metadata = z.object({ ...threadFields, ...editFields });

type Metadata = z.infer<typeof metadata>;

/** Labels and assignees as they were sent. Accounts that can't be assigned are ignored in silence. */
export function readMetadata(
  state: State,
  project: Project,
  input: Partial<Metadata>,
): Pick<ThreadEdit, 'labels' | 'assignees'> {
  const { labels: set, add_labels: add, remove_labels: remove } = input;
  const single = input.assignee_id === '' || input.assignee_id === 0 ? [] : [input.assignee_id];
  const wanted = input.assignee_ids ?? (input.assignee_id === undefined ? undefined : single);
  const assignees = wanted?.flatMap((id) => assignable(state, project, Number(id)));
  return {
    ...(set || add || remove ? { labels: { set, add, remove } } : {}),
    ...(assignees ? { assignees } : {}),
  };
}

/** An edit as the asker may make it: labels and assignees are dropped in silence from who may not set them. @throws {Refusal} 403 */
export function readEdit(call: ThreadCall, input: Partial<Metadata>): ThreadEdit & { readonly by: User } {
  const { state, thread } = call;
  const by = viewerOf(call);
  if (!mayUpdate(state, thread, by)) throw forbidden();
  const allowed = maySetMetadata(state, thread, by) ? readMetadata(state, thread.project, input) : {};
  const target = input.state_event === 'close' ? 'closed' : 'opened';
  return {
    ...allowed,
    ...(input.description === undefined ? {} : { description: input.description }),
    ...(input.state_event ? { state: target } : {}),
    ...(typeof input.discussion_locked === 'boolean' ? { discussionLocked: input.discussion_locked } : {}),
    by,
  };
}

function assignable(state: State, project: Project, id: number): User[] {
  const user = findUserById(state, id);
  return user && maySee(state, project, user) ? [user] : [];
}
