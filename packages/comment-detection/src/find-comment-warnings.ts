import { escapeHeadings } from './escape-headings.ts';
import type { Comment } from './model.ts';

export interface CommentWarningRules {
  /** Longest body shown whole. */
  readonly maxBodyChars: number;
}

/** What is odd about a comment that is clean, each in a sentence for the log. It is told of all the same. */
export function findCommentWarnings(
  { author, body }: Comment,
  rules: CommentWarningRules,
): readonly string[] {
  const found: readonly (readonly [boolean, string])[] = [
    [author === null, 'the account that wrote a comment is gone'],
    [escapeHeadings(body) !== body, 'a comment imitates the headings of new comments; they are quoted'],
    [body.length > rules.maxBodyChars, 'a comment is very long; its beginning is told'],
    [body.trim() === '', 'a comment has no visible text'],
  ];
  return found.flatMap(([isSo, sentence]) => (isSo ? [sentence] : []));
}
