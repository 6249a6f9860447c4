import { type Account, type Comment, isSameAccount, parseCommentMarker } from '@agent/platforms';

/** Whether the agent wrote a comment. With a person's token, what that person writes by hand is not its own. */
export function isOwnComment(
  { author, body }: Pick<Comment, 'author' | 'body'>,
  ownAccount: Account,
): boolean {
  if (!isSameAccount(author, ownAccount)) return false;
  return ownAccount.kind === 'bot' || parseCommentMarker(body) !== null;
}
