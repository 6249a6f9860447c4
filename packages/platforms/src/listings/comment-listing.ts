import type { Comment, CommentListing } from '../model.ts';

const overlapMs = 60_000;

/** Pages shift while they are read: an id that comes twice counts once, as it was last shown. Oldest first. */
export function inOrder(comments: readonly Comment[]): Comment[] {
  const byId = new Map(comments.map((comment) => [comment.id, comment]));
  return [...byId.values()].sort(compareComments);
}

/** Compares by creation time, then by the platform's number, whatever an id begins with. */
export function compareComments(one: Comment, other: Comment): number {
  const time = Date.parse(one.createdAt) - Date.parse(other.createdAt);
  return time || numberOf(one) - numberOf(other) || (one.id < other.id ? -1 : Number(one.id > other.id));
}

const numberOf = ({ id }: Comment) => Number(/(?<!\d)\d+$/u.exec(id)?.[0] ?? 0);

/** A listing that says only that nothing changed. */
export function unchangedListing(cursor: string | null): CommentListing {
  return { comments: [], complete: false, cursor, unchanged: true };
}

/** As many comments may follow the place that is polled from; more make each poll of a busy thread long. */
export const fewComments = 30;

/** Milliseconds that such places lie apart, those that are preferred first: an hour, five minutes. */
const spansMs = [3_600_000, 300_000];

/**
 * The place to poll from next: the first hour (or five minutes) that few comments follow, and no later than the newest time that the
 * platform has shown, less an overlap. So an address stays for as long, which makes polls of it free, and whoever saw the same
 * comments polls the same address. Never backwards, never by our own clock.
 */
export function moveCursor(since: string | null, comments: readonly Comment[]): string | null {
  const times = comments.map(({ updatedAt, createdAt }) => updatedAt ?? createdAt);
  const exact = minuteBefore(times);
  if (exact === null) return since;
  const latest = Date.parse(exact);
  const start = findStart(since, comments);
  const place = spansMs.map((spanMs) => Math.ceil(start / spanMs) * spanMs).find((one) => one <= latest);
  return later(since, toTime(place ?? latest));
}

/** The earliest time that few comments follow, in milliseconds: behind one too many, else where the polls begin, else the oldest's hour. */
function findStart(since: string | null, comments: readonly Comment[]): number {
  const newestFirst = comments
    .map(({ updatedAt, createdAt }) => Date.parse(updatedAt ?? createdAt))
    .sort((one, other) => other - one);
  const oneTooMany = newestFirst[fewComments];
  if (oneTooMany !== undefined) return oneTooMany + 1;
  if (since !== null) return Date.parse(since);
  const oldest = Math.min(...comments.map(({ createdAt }) => Date.parse(createdAt)));
  return Math.floor(oldest / 3_600_000) * 3_600_000;
}

/** The newest of some times, less the overlap; null where there are none. */
export function minuteBefore(times: readonly string[]): string | null {
  if (times.length === 0) return null;
  const newest = times.map((time) => Date.parse(time)).reduce((one, other) => Math.max(one, other));
  return toTime(newest - overlapMs);
}

const toTime = (milliseconds: number) => new Date(milliseconds).toISOString().replace('.000Z', 'Z');

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
