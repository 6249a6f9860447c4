import type { AwardEmojiSchema, NoteSchema } from '@gitbeaker/core';
import type { Award, Note } from '../state/model.ts';
import type { Vendor } from '../vendor.ts';
import { type Place, showUser } from './user-view.ts';

type ShownNote = Vendor<
  NoteSchema,
  {
    readonly type: null;
    readonly author: ReturnType<typeof showUser>;
    readonly internal: boolean;
    readonly confidential: boolean;
    readonly imported: boolean;
    readonly imported_from: string;
    readonly commands_changes: Readonly<Record<string, never>>;
  }
>;

/** A note. @see https://docs.gitlab.com/api/notes/ */
export function showNote(place: Place, note: Note): ShownNote {
  const { id, body, system, internal, createdAt, updatedAt, thread } = note;
  return {
    id,
    type: null,
    body,
    attachment: null,
    author: showUser(place, note.author),
    created_at: createdAt,
    updated_at: updatedAt,
    system,
    noteable_id: thread.id,
    noteable_type: thread.merge ? 'MergeRequest' : 'Issue',
    project_id: thread.project.id,
    resolvable: false,
    confidential: internal,
    internal,
    imported: false,
    imported_from: 'none',
    noteable_iid: thread.iid,
    commands_changes: {},
  };
}

/** An emoji on a thread or a note. */
export function showAward(
  place: Place,
  award: Award,
  on: { readonly id: number; readonly type: 'Note' | 'Issue' | 'MergeRequest' },
): Vendor<AwardEmojiSchema, { readonly user: ReturnType<typeof showUser>; readonly url: null }> {
  const { id, name, createdAt } = award;
  return {
    id,
    name,
    user: showUser(place, award.user),
    created_at: createdAt,
    updated_at: createdAt,
    awardable_id: on.id,
    awardable_type: on.type,
    url: null,
  };
}
