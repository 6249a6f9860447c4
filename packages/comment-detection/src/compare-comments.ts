import type { Comment } from './model.ts';

/** The order of a thread: by creation time, then id. What has no readable time comes first. */
export function compareComments(a: Comment, b: Comment): number {
  return timeOf(a.createdAt) - timeOf(b.createdAt) || compareIds(a.id, b.id);
}

/** Milliseconds of an ISO time; 0 for what is no time. */
export function timeOf(iso: string | null): number {
  return (iso !== null && Date.parse(iso)) || 0;
}

/** Numbers as numbers (9 before 10), whatever their length; everything else as text. */
function compareIds(a: string, b: string): number {
  const areNumbers = /^\d+$/.test(a) && /^\d+$/.test(b);
  if (areNumbers && a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : Number(a > b);
}
