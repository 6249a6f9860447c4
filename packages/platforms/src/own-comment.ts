import { formatCommentMarker } from './comment-marker.ts';
import { type FitCommentBodyOptions, fitCommentBody } from './fit-comment-body.ts';
import type { Account, Comment } from './model.ts';
import { isSameAccount } from './same-account.ts';

/** The whole text of our comment on a topic: its marker, then as much of the body as the platform takes. */
export function composeOwnComment(
  comment: { readonly topic: string; readonly body: string },
  options: FitCommentBodyOptions,
): string {
  const marker = `${formatCommentMarker(comment.topic)}\n`;
  const maxChars = options.maxChars - marker.length;
  return marker + fitCommentBody(comment.body, { ...options, maxChars });
}

/** Our oldest comment on a topic among these. A marker in anybody else's comment does not count. */
export function findOwnComment(
  comments: readonly Comment[],
  own: { readonly topic: string; readonly account: Account },
): Comment | undefined {
  const marker = formatCommentMarker(own.topic);
  return comments.find(
    (comment) => comment.body.startsWith(marker) && isSameAccount(comment.author, own.account),
  );
}

/** Tells whether two bodies say the same, however the platform stores line ends and trailing blanks. */
export function isSameBody(one: string, other: string): boolean {
  return stored(one) === stored(other);
}

const stored = (body: string) => body.replaceAll('\r\n', '\n').trimEnd();
