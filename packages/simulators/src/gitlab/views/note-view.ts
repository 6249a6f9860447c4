import type { AwardEmojiSchema, NoteSchema } from '@gitbeaker/core';
import { isResolvable, noteType } from '../state/discussions.ts';
import type { Award, Discussion, Note } from '../state/model.ts';
import type { DiffPoint, DiffPosition } from '../state/review-model.ts';
import type { Vendor } from '../vendor.ts';
import { type Place, showUser } from './user-view.ts';

type ShownNote = Vendor<
  NoteSchema,
  {
    readonly type: ReturnType<typeof noteType>;
    readonly author: ReturnType<typeof showUser>;
    readonly internal: boolean;
    readonly confidential: boolean;
    readonly imported: boolean;
    readonly imported_from: string;
    readonly commands_changes: Readonly<Record<string, never>>;
  }
> &
  Partial<ReturnType<typeof showResolution>> & {
    readonly commit_id?: string | null;
    readonly position?: ReturnType<typeof showPosition>;
  };

/** A note. @see https://docs.gitlab.com/api/notes/ */
export function showNote(place: Place, note: Note): ShownNote {
  const { id, body, system, internal, createdAt, updatedAt, thread, discussion } = note;
  const resolvable = !system && isResolvable(thread, discussion);
  const { position } = discussion;
  return {
    id,
    type: noteType(note),
    body,
    attachment: null,
    author: showUser(place, note.author),
    created_at: createdAt,
    updated_at: updatedAt,
    system,
    noteable_id: thread.id,
    noteable_type: thread.merge ? 'MergeRequest' : 'Issue',
    project_id: thread.project.id,
    ...(position ? { commit_id: null, position: showPosition(position) } : {}),
    resolvable,
    ...(resolvable ? showResolution(place, discussion) : {}),
    confidential: internal,
    internal,
    imported: false,
    imported_from: 'none',
    noteable_iid: thread.iid,
    commands_changes: {},
  };
}

/** Notes that belong together, without those that the asker must not see. @see https://docs.gitlab.com/api/discussions/ */
export function showDiscussion(place: Place, { id, kind }: Discussion, notes: readonly Note[]) {
  return { id, individual_note: kind === 'single', notes: notes.map((note) => showNote(place, note)) };
}

/** A place in a diff. @see https://docs.gitlab.com/api/discussions/#parameters-for-multiline-comments */
export function showPosition({ refs, oldPath, newPath, line, first }: DiffPosition) {
  return {
    base_sha: refs.base,
    start_sha: refs.start,
    head_sha: refs.head,
    old_path: oldPath,
    new_path: newPath,
    position_type: 'text' as const,
    old_line: line.oldLine,
    new_line: line.newLine,
    line_range: { start: showPoint(first ?? line), end: showPoint(line) },
  };
}

function showPoint({ oldLine, newLine, code }: DiffPoint) {
  const type = newLine === null ? ('old' as const) : oldLine === null ? ('new' as const) : null;
  return { line_code: code, type, old_line: oldLine, new_line: newLine };
}

function showResolution(place: Place, { resolved }: Discussion) {
  return {
    resolved: resolved !== null,
    resolved_by: resolved && showUser(place, resolved.by),
    resolved_at: resolved?.at ?? null,
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
