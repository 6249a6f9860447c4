import type { Comment } from './model.ts';

const overlapMs = 60_000;

/** Pages shift while they are read: an id that comes twice counts once, as it was last shown. Oldest first. */
export function inOrder(comments: readonly Comment[]): Comment[] {
  const byId = new Map(comments.map((comment) => [comment.id, comment]));
  return [...byId.values()].sort(
    (one, other) =>
      Date.parse(one.createdAt) - Date.parse(other.createdAt) || Number(one.id) - Number(other.id),
  );
}

/** The newest time that the platform has shown, less an overlap; never backwards, never by our own clock. */
export function moveCursor(since: string | null, comments: readonly Comment[]): string | null {
  const shown = comments.map((comment) => Date.parse(comment.updatedAt ?? comment.createdAt));
  if (shown.length === 0) return since;
  const newest = shown.reduce((one, other) => Math.max(one, other)) - overlapMs;
  if (since !== null && newest <= Date.parse(since)) return since;
  return new Date(newest).toISOString().replace('.000Z', 'Z');
}
