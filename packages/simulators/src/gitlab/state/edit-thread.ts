import { takeId, timestamp } from './create-state.ts';
import { isDraft, toReady } from './draft.ts';
import { changeLabels, type LabelEdit } from './labels.ts';
import type { State, Thread, User } from './model.ts';
import { addSystemNote } from './notes.ts';
import { checkText } from './threads.ts';

export interface ThreadEdit {
  readonly title?: string | undefined;
  readonly description?: string | null | undefined;
  readonly confidential?: boolean | undefined;
  readonly discussionLocked?: boolean | undefined;
  readonly state?: 'opened' | 'closed' | undefined;
  readonly assignees?: readonly User[] | undefined;
  readonly labels?: LabelEdit | undefined;
}

/** Changes a thread as its page does, with the system notes that tell of it. @throws {Refusal} 400 */
export function editThread(state: State, thread: Thread, edit: ThreadEdit & { readonly by: User }): void {
  checkText(edit);
  const { by } = edit;
  if (edit.title !== undefined) retitle(state, thread, { title: edit.title, by });
  if (edit.description !== undefined && edit.description !== thread.description) {
    thread.description = edit.description;
    tell(state, thread, { by, body: 'changed the description' });
  }
  if (edit.confidential !== undefined && edit.confidential !== thread.confidential) {
    thread.confidential = edit.confidential;
    const body = edit.confidential ? 'made the issue confidential' : 'made the issue visible to everyone';
    tell(state, thread, { by, body });
  }
  if (edit.discussionLocked !== undefined && edit.discussionLocked !== thread.discussionLocked) {
    thread.discussionLocked = edit.discussionLocked;
    const noun = thread.merge ? 'merge request' : 'issue';
    tell(state, thread, {
      by,
      body: `${edit.discussionLocked ? 'locked' : 'unlocked'} the discussion in this ${noun}`,
    });
  }
  if (edit.labels) changeLabels(state, thread, { ...edit.labels, by });
  if (edit.assignees) assign(state, thread, { assignees: edit.assignees, by });
  if (edit.state === 'closed' && thread.state === 'opened') changeState(state, thread, { to: 'closed', by });
  if (edit.state === 'opened' && thread.state === 'closed') changeState(state, thread, { to: 'opened', by });
}

/** Closes, reopens or marks as merged; leaves a state event, and with `eventsAsNotes` a system note. */
export function changeState(
  state: State,
  thread: Thread,
  change: { readonly to: Thread['state']; readonly by: User },
): void {
  const { to, by: user } = change;
  const shown = to === 'opened' ? 'reopened' : to;
  const createdAt = timestamp(state);
  thread.state = to;
  thread.updatedAt = createdAt;
  thread.closedAt = to === 'closed' ? createdAt : null;
  thread.closedBy = to === 'closed' ? user : null;
  thread.events.push({ id: takeId(state), user, createdAt, kind: 'state', state: shown });
  if (state.eventsAsNotes) addSystemNote(state, thread, { author: user, body: shown });
}

function retitle(
  state: State,
  thread: Thread,
  { title, by }: { readonly title: string; readonly by: User },
): void {
  const before = thread.title;
  if (title === before) return;
  thread.title = title;
  const wasDraft = thread.merge !== null && isDraft(before);
  const isNowDraft = thread.merge !== null && isDraft(title);
  if (wasDraft !== isNowDraft) {
    tell(state, thread, { by, body: `marked this merge request as **${isNowDraft ? 'draft' : 'ready'}**` });
  }
  if (wasDraft === isNowDraft || toReady(before) !== toReady(title)) {
    tell(state, thread, { by, body: `changed title from **{-${before}-}** to **{+${title}+}**` });
  }
}

/** The free tier keeps the first assignee only. @see https://docs.gitlab.com/user/project/issues/multiple_assignees_for_issues/ */
function assign(
  state: State,
  thread: Thread,
  change: { readonly assignees: readonly User[]; readonly by: User },
): void {
  const before = thread.assignees;
  const unique = [...new Set(change.assignees)];
  thread.assignees = state.tier === 'free' ? unique.slice(0, 1) : unique;
  const added = thread.assignees.filter((user) => !before.includes(user));
  const removed = before.filter((user) => !thread.assignees.includes(user));
  const parts = [
    ...(added.length > 0 ? [`assigned to ${sentence(added)}`] : []),
    ...(removed.length > 0 ? [`unassigned ${sentence(removed)}`] : []),
  ];
  if (parts.length > 0) tell(state, thread, { by: change.by, body: parts.join(' and ') });
}

function tell(state: State, thread: Thread, note: { readonly by: User; readonly body: string }): void {
  thread.updatedAt = timestamp(state);
  addSystemNote(state, thread, { author: note.by, body: note.body });
}

function sentence(users: readonly User[]): string {
  const names = users.map(({ username }) => `@${username}`);
  const last = names.pop() ?? '';
  if (names.length === 0) return last;
  return `${names.join(', ')}${names.length > 1 ? ',' : ''} and ${last}`;
}
