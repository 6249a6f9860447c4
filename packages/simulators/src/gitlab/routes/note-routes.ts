import { z } from 'zod';
import { boolean, filled, inputOf } from '../http/input.ts';
import { paged } from '../http/pagination.ts';
import { authenticated, numberParameter, onThread, type ThreadCall, viewerOf } from '../http/requirements.ts';
import { type Answer, created, noContent, ok, type Route, route } from '../http/route.ts';
import { accessLevels, mayComment, mayReadNote } from '../state/access.ts';
import type { Note } from '../state/model.ts';
import { addNote, deleteNote, editNote, findNote } from '../state/notes.ts';
import { runQuickActions } from '../state/quick-actions.ts';
import { badParameters, forbidden, notFound } from '../state/refusal.ts';
import { showNote } from '../views/note-view.ts';

const addresses = ['/projects/{id}/issues/{iid}/notes', '/projects/{id}/merge_requests/{iid}/notes'];

/** Notes on issues and merge requests. There is no ETag on them, and no `since`. @see https://docs.gitlab.com/api/notes/ */
export const noteRoutes: readonly Route[] = addresses.flatMap((notes) => [
  route(`GET ${notes}`, authenticated(onThread(listNotes))),
  route(`POST ${notes}`, authenticated(onThread(createNote))),
  route(`GET ${notes}/{note_id}`, authenticated(onThread((call) => ok(showNote(call, noteOf(call)))))),
  route(`PUT ${notes}/{note_id}`, authenticated(onThread(updateNote))),
  route(`DELETE ${notes}/{note_id}`, authenticated(onThread(removeNote))),
]);

const listing = z.object({
  sort: z.enum(['asc', 'desc']).default('desc'),
  order_by: z.enum(['created_at', 'updated_at']).default('created_at'),
  activity_filter: z.enum(['all_notes', 'only_comments', 'only_activity']).default('all_notes'),
});
const creation = z.object({
  body: z.string(),
  internal: boolean.optional(),
  confidential: boolean.optional(),
});
const change = z.object({ body: filled.optional() });

/** Newest first unless asked otherwise. Internal notes are taken out of the page after it was cut. */
function listNotes(call: ThreadCall): Answer {
  const { sort, order_by: orderBy, activity_filter: activity } = inputOf(call, listing);
  const sign = sort === 'asc' ? 1 : -1;
  const key = orderBy === 'updated_at' ? 'updatedAt' : 'createdAt';
  const notes = [...call.thread.notes.values()]
    .filter(({ system }) => activity === 'all_notes' || system === (activity === 'only_activity'))
    .sort((one, other) => sign * (one[key].localeCompare(other[key]) || one.id - other.id));
  return paged(call, notes, {
    show: (note) => showNote(call, note),
    keep: (note) => mayReadNote(call.state, note, call.viewer),
  });
}

/** A note of nothing but quick actions is not kept: 202 says what was done. */
function createNote(call: ThreadCall): Answer {
  const { state, thread } = call;
  const author = viewerOf(call);
  if (call.token) call.limits.countNote(call.token);
  const { body: text, internal, confidential } = inputOf(call, creation);
  if (!mayComment(state, thread, author)) throw forbidden();
  const { body, summary } = runQuickActions(state, thread, { body: text, author });
  if (summary.length > 0 && body === '') return { status: 202, body: { commands_changes: {}, summary } };
  return created(
    showNote(call, addNote(state, thread, { author, body, internal: internal ?? confidential })),
  );
}

function updateNote(call: ThreadCall): Answer {
  const note = noteOf(call);
  mustAdminister(call, note);
  const { body } = inputOf(call, change);
  if (body === undefined) throw badParameters('body is missing');
  editNote(call.state, note, body);
  return ok(showNote(call, note));
}

function removeNote(call: ThreadCall): Answer {
  const note = noteOf(call);
  mustAdminister(call, note);
  deleteNote(call.state, note);
  return noContent();
}

function noteOf(call: ThreadCall): Note {
  const note = findNote(call.thread, numberParameter(call, 'note_id'));
  if (!mayReadNote(call.state, note, call.viewer)) throw notFound('Note');
  return note;
}

/** Its author or a maintainer; nobody for a system note. */
function mustAdminister(call: ThreadCall, note: Note): void {
  const isOwn = note.author === call.viewer;
  if (note.system || (!isOwn && call.level < accessLevels.maintainer)) throw forbidden();
}
