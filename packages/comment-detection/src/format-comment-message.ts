import type { Comment } from './model.ts';

export interface CommentMessageOptions {
  /** What the model may see of a comment, e.g. cleaned and wrapped. Default: its body. */
  readonly prepareBody?: ((comment: Comment) => string) | undefined;
}

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
  const { prepareBody = (comment) => comment.body } = options;
  const [first, ...others] = comments.toSorted(compareComments);
  if (first === undefined) return '';
  const textOf = (comment: Comment) => prepareBody(comment).trimEnd();
  if (others.length === 0) return `[New Comment from @${loginOf(first)}]:\n${textOf(first)}`;
  const blocks = [first, ...others].map(
    (comment, index) =>
      `Comment ${index + 1} from @${loginOf(comment)} (${comment.createdAt}):\n${textOf(comment)}`,
  );
  return ['[New Comments Detected]:', ...blocks].join('\n\n');
}

/** GitHub's own name for the author of what a deleted account left behind. */
function loginOf(comment: Comment): string {
  return comment.author?.login ?? 'ghost';
}

function compareComments(a: Comment, b: Comment): number {
  return Date.parse(a.createdAt) - Date.parse(b.createdAt) || compareIds(a.id, b.id);
}

/** Numbers as numbers (9 before 10), whatever their length; everything else as text. */
function compareIds(a: string, b: string): number {
  const areNumbers = /^\d+$/.test(a) && /^\d+$/.test(b);
  if (areNumbers && a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : Number(a > b);
}
