import { z } from 'zod';
import { boolean, filled, inputOf, integer } from '../http/input.ts';
import { paged } from '../http/pagination.ts';
import { authenticated, numberParameter, onThread, type ThreadCall, viewerOf } from '../http/requirements.ts';
import { type Answer, created, noContent, ok, parameter, type Route, route } from '../http/route.ts';
import { placePosition } from '../reviews/place-position.ts';
import { accessLevels, mayComment, mayReadNote } from '../state/access.ts';
import { answerDiscussion, findDiscussion, resolveDiscussion } from '../state/discussions.ts';
import type { Discussion, Note, User } from '../state/model.ts';
import { addNote, deleteNote, editNote, newDiscussion } from '../state/notes.ts';
import { runQuickActions } from '../state/quick-actions.ts';
import { forbidden, notFound } from '../state/refusal.ts';
import { showDiscussion, showNote } from '../views/note-view.ts';

const threads = ['/projects/{id}/issues/{iid}', '/projects/{id}/merge_requests/{iid}'];

/** Threads on issues and merge requests, oldest first. Positions come in JSON here. @see https://docs.gitlab.com/api/discussions/ */
export const discussionRoutes: readonly Route[] = [
  ...threads.flatMap((thread) => [
    route(`GET ${thread}/discussions`, authenticated(onThread(list))),
    route(`POST ${thread}/discussions`, authenticated(onThread(create))),
    route(`GET ${thread}/discussions/{discussion_id}`, authenticated(onThread((call) => ok(show(call))))),
    route(`POST ${thread}/discussions/{discussion_id}/notes`, authenticated(onThread(answer))),
    route(`PUT ${thread}/discussions/{discussion_id}/notes/{note_id}`, authenticated(onThread(update))),
    route(`DELETE ${thread}/discussions/{discussion_id}/notes/{note_id}`, authenticated(onThread(remove))),
  ]),
  route(
    'PUT /projects/{id}/merge_requests/{iid}/discussions/{discussion_id}',
    authenticated(onThread(resolve)),
  ),
];

const line = integer.nullish().transform((number) => number ?? null);
const path = z
  .string()
  .nullish()
  .transform((text) => text ?? null);
const point = z.object({ old_line: line, new_line: line });
const position = z.object({
  base_sha: z.string(),
  start_sha: z.string(),
  head_sha: z.string(),
  position_type: z.literal('text'),
  old_path: path,
  new_path: path,
  old_line: line,
  new_line: line,
  line_range: z.object({ start: point }).nullish(),
});
const creation = z.object({ body: z.string(), position: position.optional() });
const answering = z.object({ body: z.string() });
const change = z.object({ body: filled });
const resolution = z.object({ resolved: boolean });

/** Discussions that the asker must not see are left out of a page after it was cut. */
function list(call: ThreadCall): Answer {
  return paged(call, [...call.thread.discussions.values()], {
    show: (discussion) => showDiscussion(call, discussion, readable(call, discussion)),
    keep: (discussion) => readable(call, discussion).length > 0,
  });
}

async function create(call: ThreadCall): Promise<Answer> {
  const { state, thread } = call;
  const { position: wanted, ...said } = inputOf(call, creation);
  const place = wanted && (await placeOf(call, wanted));
  return write(call, said.body, (note) => {
    const discussion = newDiscussion(state, place ? 'diff' : 'thread', place);
    addNote(state, thread, { ...note, discussion });
    return showDiscussion(call, discussion, discussion.notes);
  });
}

function placeOf(call: ThreadCall, wanted: z.infer<typeof position>) {
  const { project, thread } = call;
  if (!thread.merge) throw notFound();
  const range = wanted.line_range?.start;
  const isSingle = !range || (range.new_line === wanted.new_line && range.old_line === wanted.old_line);
  return placePosition(
    call,
    { project, merge: thread.merge },
    {
      refs: { base: wanted.base_sha, start: wanted.start_sha, head: wanted.head_sha },
      oldPath: wanted.old_path,
      newPath: wanted.new_path,
      oldLine: wanted.old_line,
      newLine: wanted.new_line,
      first: isSingle ? null : { oldLine: range.old_line, newLine: range.new_line },
    },
  );
}

function answer(call: ThreadCall): Answer {
  const discussion = discussionOf(call);
  return write(call, inputOf(call, answering).body, (note) =>
    showNote(call, answerDiscussion(call.state, call.thread, { discussion, ...note })),
  );
}

function update(call: ThreadCall): Answer {
  const note = ownNote(call);
  editNote(call.state, note, inputOf(call, change).body);
  return ok(showNote(call, note));
}

function remove(call: ThreadCall): Answer {
  deleteNote(call.state, ownNote(call));
  return noContent();
}

function resolve(call: ThreadCall): Answer {
  const { resolved } = inputOf(call, resolution);
  const discussion = discussionOf(call);
  resolveDiscussion(call.state, call.thread, { discussion, by: viewerOf(call), resolved });
  return ok(show(call));
}

function show(call: ThreadCall) {
  const discussion = discussionOf(call);
  return showDiscussion(call, discussion, readable(call, discussion));
}

/** Writes what remains of a text without its quick actions; one of nothing else is not kept, and 202 says what was done. */
function write(
  call: ThreadCall,
  text: string,
  keep: (note: { readonly author: User; readonly body: string }) => unknown,
): Answer {
  const { state, thread } = call;
  const author = viewerOf(call);
  if (call.token) call.limits.countNote(call.token);
  if (!mayComment(state, thread, author)) throw forbidden();
  const { body, summary } = runQuickActions(state, thread, { body: text, author });
  if (summary.length > 0 && body === '') return { status: 202, body: { commands_changes: {}, summary } };
  return created(keep({ author, body }));
}

/** @throws {Refusal} 404, also for one whose notes the asker must not read */
function discussionOf(call: ThreadCall): Discussion {
  const discussion = findDiscussion(call.thread, parameter(call, 'discussion_id'));
  if (readable(call, discussion).length === 0) throw notFound('Discussion');
  return discussion;
}

/** A note that the asker may change: its author, or a maintainer. @throws {Refusal} 403 or 404 */
function ownNote(call: ThreadCall): Note {
  const id = numberParameter(call, 'note_id');
  const note = readable(call, discussionOf(call)).find((one) => one.id === id);
  if (!note) throw notFound('Note');
  if (note.system || (note.author !== call.viewer && call.level < accessLevels.maintainer)) throw forbidden();
  return note;
}

function readable(call: ThreadCall, { notes }: Discussion): readonly Note[] {
  return notes.filter((note) => mayReadNote(call.state, note, call.viewer));
}
