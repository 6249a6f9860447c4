import { compareComments } from './compare-comments.ts';
import type { Comment } from './model.ts';
import type { CommentMessageOptions } from './shown-body.ts';
import { toShownBody } from './shown-body.ts';

/**
 * The user message that tells a running agent of new comments: one comment under its author's name, several as
 * a numbered list by creation time, then id. Timestamps stand as received; blank lines at the end of a body
 * are dropped, so that one blank line stands between comments and none at the end. Without comments it is empty.
 *
 * @see seed 001 §2.2.3
 */
export function formatCommentMessage(
  comments: readonly Comment[],
  options: CommentMessageOptions = {},
): string {
  const [first, ...others] = [...comments].sort(compareComments);
  if (first === undefined) return '';
  const textOf = (comment: Comment) => toShownBody(comment, options);
  if (others.length === 0) return `[New Comment from @${loginOf(first)}]:\n${textOf(first)}`;
  const blocks = [first, ...others].map(
    (comment, index) =>
      `Comment ${index + 1} from @${loginOf(comment)} (${comment.createdAt}):\n${textOf(comment)}`,
  );
  return ['[New Comments Detected]:', ...blocks].join('\n\n');
}

/** On one line; GitHub's own name for the author of what a deleted account left behind. */
export function loginOf(comment: Comment): string {
  return comment.author?.login.replaceAll(/\s+/g, ' ') ?? 'ghost';
}
