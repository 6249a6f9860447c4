import { type Account, type Comment, isSameAccount, parseCommentMarker, type Thread } from '@agent/platforms';

/** Whether the agent wrote a comment. With a person's token, what that person writes by hand is not its own. */
export function isOwnComment(
  { author, body }: Pick<Comment, 'author' | 'body'>,
  ownAccount: Account,
): boolean {
  if (!isSameAccount(author, ownAccount)) return false;
  return ownAccount.kind === 'bot' || parseCommentMarker(body) !== null;
}

/**
 * Whether the agent wrote title and text of a thread. With a person's token a pull or merge request of that person counts
 * as the agent's draft: nothing tells them apart.
 */
export function isOwnThread(
  { author, changeRequest }: Pick<Thread, 'author' | 'changeRequest'>,
  ownAccount: Account,
): boolean {
  return isSameAccount(author, ownAccount) && (ownAccount.kind === 'bot' || changeRequest !== null);
}
