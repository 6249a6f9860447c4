import { createHash } from 'node:crypto';
import type { CurrentComments } from '@agent/context-inheritance';
import type { CommentListing } from '@agent/platforms';

/**
 * The comments that decisions rest on: SHA-256 of each body, as the platform gives it, by the comment's id. Null for a
 * listing that is not whole, because what is missing in it would count as deleted.
 */
export function hashComments({
  comments,
  complete,
}: Pick<CommentListing, 'comments' | 'complete'>): CurrentComments | null {
  if (!complete) return null;
  return new Map(
    comments.map(({ id, body }) => [id, createHash('sha256').update(body, 'utf8').digest('hex')]),
  );
}
