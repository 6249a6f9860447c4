import { z } from 'zod';
import { filled, inputOf } from '../http/input.ts';
import { paged } from '../http/pagination.ts';
import { authenticated, numberParameter, onThread, type ThreadCall, viewerOf } from '../http/requirements.ts';
import { type Answer, created, noContent, ok, type Route, route } from '../http/route.ts';
import { mayReadNote } from '../state/access.ts';
import { takeId, timestamp } from '../state/create-state.ts';
import type { Award, State, User } from '../state/model.ts';
import { findNote } from '../state/notes.ts';
import { notFound, refuse, unauthorized } from '../state/refusal.ts';
import { showAward } from '../views/note-view.ts';

const threads = ['/projects/{id}/issues/{iid}', '/projects/{id}/merge_requests/{iid}'];
const addresses = threads.flatMap((thread) => [
  `${thread}/award_emoji`,
  `${thread}/notes/{note_id}/award_emoji`,
]);

/** Emoji on threads and on notes. @see https://docs.gitlab.com/api/emoji_reactions/ */
export const awardRoutes: readonly Route[] = addresses.flatMap((awards) => [
  route(`GET ${awards}`, authenticated(onThread(listAwards))),
  route(`POST ${awards}`, authenticated(onThread(giveAward))),
  route(`GET ${awards}/{award_id}`, authenticated(onThread((call) => ok(show(call, awardOf(call)))))),
  route(`DELETE ${awards}/{award_id}`, authenticated(onThread(takeAward))),
]);

const creation = z.object({ name: filled });

function listAwards(call: ThreadCall): Answer {
  return paged(call, [...awardable(call).awards.values()], { show: (award) => show(call, award) });
}

function giveAward(call: ThreadCall): Answer {
  const { awards, touch } = awardable(call);
  const { name } = inputOf(call, creation);
  const award = addAward(call.state, awards, { user: viewerOf(call), name });
  touch();
  return created(show(call, award));
}

function takeAward(call: ThreadCall): Answer {
  const award = awardOf(call);
  if (award.user !== call.viewer) throw unauthorized();
  const { awards, touch } = awardable(call);
  awards.delete(award.id);
  touch();
  return noContent();
}

/** The bearer of the emoji. A note's `updated_at` moves with them, that of its thread does not. */
function awardable(call: ThreadCall) {
  if (call.parameters.note_id === undefined) {
    return {
      awards: call.thread.awards,
      id: call.thread.id,
      type: call.thread.merge ? 'MergeRequest' : 'Issue',
      touch: () => undefined,
    } as const;
  }
  const note = findNote(call.thread, numberParameter(call, 'note_id'));
  if (!mayReadNote(call.state, note, call.viewer) || note.system) throw notFound('Award Emoji');
  const touch = () => {
    note.updatedAt = timestamp(call.state);
  };
  return { awards: note.awards, id: note.id, type: 'Note', touch } as const;
}

function awardOf(call: ThreadCall): Award {
  return findAward(awardable(call).awards, numberParameter(call, 'award_id'));
}

function show(call: ThreadCall, award: Award) {
  return showAward(call, award, awardable(call));
}

/** Puts an emoji on something, once per account and name. @throws {Refusal} 404 for a second time and for no known name */
function addAward(
  state: State,
  awards: Map<number, Award>,
  award: { readonly user: User; readonly name: string },
): Award {
  const { user, name } = award;
  if (!/^[a-z0-9_+-]+$/.test(name)) {
    throw refuse(404, '404 Award Emoji {:name=>["is not a valid emoji name"]} Not Found');
  }
  if ([...awards.values()].some((other) => other.user === user && other.name === name)) {
    throw refuse(404, '404 Award Emoji Name has already been taken Not Found');
  }
  const added: Award = { id: takeId(state), user, name, createdAt: timestamp(state) };
  awards.set(added.id, added);
  return added;
}

/** @throws {Refusal} 404 */
function findAward(awards: ReadonlyMap<number, Award>, id: number): Award {
  const award = awards.get(id);
  if (!award) throw notFound();
  return award;
}
