import { takeId, timestamp } from './create-state.ts';
import type { MergePart, Project, State, Thread, User } from './model.ts';
import { invalidRecord } from './refusal.ts';

const maxTitleCharacters = 255;
const maxDescriptionCharacters = 1_048_576;

export interface NewThread {
  readonly author: User;
  readonly title: string;
  readonly description: string | null;
  readonly confidential?: boolean;
  readonly merge: MergePart | null;
}

/** Opens an issue, or a merge request; each takes the next number of its kind. @throws {Refusal} 400 */
export function openThread(state: State, project: Project, opening: NewThread): Thread {
  checkText(opening);
  const created = timestamp(state);
  const { author, title, description, merge } = opening;
  const kind = merge ? 'mergeRequest' : 'issue';
  const thread: Thread = {
    id: takeId(state),
    iid: project.nextIid[kind],
    project,
    author,
    title,
    description,
    merge,
    confidential: opening.confidential ?? false,
    createdAt: created,
    updatedAt: created,
    labels: new Map(),
    notes: new Map(),
    discussions: new Map(),
    awards: new Map(),
    events: [],
    assignees: [],
    state: 'opened',
    discussionLocked: false,
    closedAt: null,
    closedBy: null,
  };
  project.nextIid[kind] += 1;
  project.lastActivityAt = created;
  threadsOf(project, merge !== null).set(thread.iid, thread);
  return thread;
}

/** The issues or the merge requests of a project. */
export function threadsOf(project: Project, areMergeRequests: boolean): Map<number, Thread> {
  return areMergeRequests ? project.mergeRequests : project.issues;
}

/** `#3` or `!3`. */
export function referenceOf(thread: Thread): `#${number}` | `!${number}` {
  return thread.merge ? `!${thread.iid}` : `#${thread.iid}`;
}

/** The thread that `#3` or `!3` means, for seeds. @throws when there is none */
export function seededThread(project: Project, reference: string): Thread {
  const [, sign = '', iid = ''] = /^([#!])(\d+)$/.exec(reference) ?? [];
  const thread = threadsOf(project, sign === '!').get(Number(iid));
  if (!thread)
    throw new Error(`${project.path} has no ${reference}: write #1 for an issue, !1 for a merge request.`);
  return thread;
}

/** Deletes a thread for good. */
export function deleteThread(thread: Thread): void {
  threadsOf(thread.project, thread.merge !== null).delete(thread.iid);
}

/** Refuses an empty or too long title and a too long description. @throws {Refusal} 400 */
export function checkText(text: {
  readonly title?: string | undefined;
  readonly description?: string | null | undefined;
}): void {
  const { title, description } = text;
  if (title !== undefined && title.trim() === '') throw invalidRecord({ title: ["can't be blank"] });
  if (title !== undefined && [...title].length > maxTitleCharacters) {
    throw invalidRecord({ title: [`is too long (maximum is ${maxTitleCharacters} characters)`] });
  }
  if (description && description.length > maxDescriptionCharacters) {
    throw invalidRecord({ description: [`is too long (maximum is ${maxDescriptionCharacters} characters)`] });
  }
}
