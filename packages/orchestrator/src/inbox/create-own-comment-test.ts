import type { Comment } from '@agent/comment-detection';
import { type Account, parseCommentMarker } from '@agent/platforms';
import type { RunLogger } from '../ports.ts';

export interface OwnCommentTestOptions {
  readonly ownAccount: Account;
  readonly logger: RunLogger;
}

/**
 * Makes the test of what the agent wrote: our marker, by our own account. Anybody can copy the marker, so that
 * whoever else carries it is heard like everybody, and named once in a warning. @see decision X2
 */
export function createOwnCommentTest({
  ownAccount,
  logger,
}: OwnCommentTestOptions): (comment: Comment) => boolean {
  const told = new Set<string>();
  return ({ id, author, body }) => {
    if (parseCommentMarker(body) === null) return false;
    if (author?.id === ownAccount.id) return true;
    if (!told.has(id)) logger.warn({ commentId: id }, 'a comment of somebody else carries our marker');
    told.add(id);
    return false;
  };
}
