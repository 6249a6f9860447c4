import type { Comment, CommentListing } from './model.ts';

const overlapMs = 60_000;

/** Pages shift while they are read: an id that comes twice counts once, as it was last shown. Oldest first. */
export function inOrder(comments: readonly Comment[]): Comment[] {
  const byId = new Map(comments.map((comment) => [comment.id, comment]));
  return [...byId.values()].sort(
    (one, other) =>
      Date.parse(one.createdAt) - Date.parse(other.createdAt) || Number(one.id) - Number(other.id),
  );
}

/** A listing that says only that nothing changed. */
export function unchangedListing(cursor: string | null): CommentListing {
  return { comments: [], complete: false, cursor, unchanged: true };
}

/** The newest time that the platform has shown, less an overlap; never backwards, never by our own clock. */
export function moveCursor(since: string | null, comments: readonly Comment[]): string | null {
  const moved = minuteBefore(comments.map((comment) => comment.updatedAt ?? comment.createdAt));
  if (moved === null) return since;
  return since !== null && Date.parse(moved) <= Date.parse(since) ? since : moved;
}

/** The newest of some times, less the overlap; null where there are none. */
export function minuteBefore(times: readonly string[]): string | null {
  if (times.length === 0) return null;
  const newest = times.map((time) => Date.parse(time)).reduce((one, other) => Math.max(one, other));
  return new Date(newest - overlapMs).toISOString().replace('.000Z', 'Z');
}

/** The earlier of two times (ISO 8601); the first where there is no other. */
export function earlierOf(one: string, other: string | null | undefined): string {
  return other == null || Date.parse(one) <= Date.parse(other) ? one : other;
}

/** Tells whether one time (ISO 8601) lies before the other; platforms whose times are whole seconds share many. */
export function isBefore(one: string, other: string): boolean {
  return Date.parse(one) < Date.parse(other);
}

/** Two polls with the same cursor: "unchanged" is said of the one before. */
export function newer(before: CommentListing | null, after: CommentListing): CommentListing {
  return before !== null && after.unchanged ? before : after;
}

/** A poll of the whole thread may know of an earlier time only, or of none. */
export function later(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return Date.parse(one) > Date.parse(other) ? one : other;
}
