import { createHash } from 'node:crypto';
import { mayReadInternal } from './access.ts';
import { takeId, timestamp } from './create-state.ts';
import type { Discussion, Note, Project, State, Thread, User } from './model.ts';
import { badRequest, notFound } from './refusal.ts';
import type { DiffPosition } from './review-model.ts';

const touchIntervalMs = 60_000;

export interface NewNote {
  readonly author: User;
  readonly body: string;
  readonly internal?: boolean | undefined;
  /** That it opens or answers; by default it stands by itself. */
  readonly discussion?: Discussion | undefined;
}

/**
 * Writes a note. `internal` is dropped in silence from those who may not read internal notes.
 * @throws {Refusal} 400 for an empty or too long body
 * @see https://docs.gitlab.com/api/notes/#create-new-issue-note
 */
export function addNote(state: State, thread: Thread, note: NewNote): Note {
  checkBody(state, note.body);
  const internal = (note.internal ?? false) && mayReadInternal(state, thread.project, note.author);
  return keep(state, thread, { ...note, internal, system: false });
}

/** Writes one of the notes by which GitLab itself tells what somebody changed. */
export function addSystemNote(state: State, thread: Thread, note: Omit<NewNote, 'internal'>): Note {
  return keep(state, thread, { ...note, internal: false, system: true });
}

/** A discussion without notes; its first one makes it known. */
export function newDiscussion(
  state: State,
  kind: Discussion['kind'],
  position: DiffPosition | null = null,
): Discussion {
  const id = createHash('sha1')
    .update(`discussion ${takeId(state)}`)
    .digest('hex');
  return { id, notes: [], kind, original: position, position, resolved: null };
}

/** Replaces a note's body. @throws {Refusal} 400 */
export function editNote(state: State, note: Note, body: string): void {
  checkBody(state, body);
  if (note.body === body) return;
  note.body = body;
  note.updatedAt = timestamp(state);
  touch(state, note.thread);
}

/** Removes a note without a trace; with the last one goes its discussion. */
export function deleteNote(state: State, note: Note): void {
  const { thread, discussion } = note;
  thread.notes.delete(note.id);
  discussion.notes.splice(discussion.notes.indexOf(note), 1);
  if (discussion.notes.length === 0) thread.discussions.delete(discussion.id);
  touch(state, note.thread);
}

/** The note of a thread. @throws {Refusal} 404 */
export function findNote(thread: Thread, id: number): Note {
  const note = thread.notes.get(id);
  if (!note) throw notFound();
  return note;
}

/** The note with this id wherever in the project it is. @throws when there is none */
export function seededNote(project: Project, id: number): Note {
  const threads = [...project.issues.values(), ...project.mergeRequests.values()];
  const note = threads.map(({ notes }) => notes.get(id)).find(Boolean);
  if (!note) throw new Error(`${project.path} has no note ${id}.`);
  return note;
}

function keep(state: State, thread: Thread, note: NewNote & Pick<Note, 'internal' | 'system'>): Note {
  const created = timestamp(state);
  const { author, body, internal, system, discussion = newDiscussion(state, 'single') } = note;
  const kept: Note = {
    id: takeId(state),
    thread,
    discussion,
    author,
    body,
    internal,
    system,
    createdAt: created,
    updatedAt: created,
    awards: new Map(),
  };
  thread.notes.set(kept.id, kept);
  thread.discussions.set(discussion.id, discussion);
  discussion.notes.push(kept);
  touch(state, thread);
  return kept;
}

function checkBody(state: State, body: string): void {
  if (body.trim() === '') throw badRequest(`Note {:note=>["can't be blank"]}`);
  const limit = state.maxNoteCharacters;
  if (body.length <= limit || [...body].length <= limit) return;
  throw badRequest(`Note {:note=>["is too long (maximum is ${limit} characters)"]}`);
}

/**
 * What a note does to its thread's `updated_at`: it moves, but only when it is more than a minute old. GitLab throttles
 * this, so that several comments within a minute may show as one update.
 */
function touch(state: State, thread: Thread): void {
  thread.project.lastActivityAt = timestamp(state);
  if (state.now() - Date.parse(thread.updatedAt) > touchIntervalMs) thread.updatedAt = timestamp(state);
}
