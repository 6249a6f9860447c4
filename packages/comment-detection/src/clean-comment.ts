import type { CommentChange } from './changes.ts';
import type { Comment } from './model.ts';

/** Takes out of a text, of a comment or its author's name, all that the model may not see. */
export type CleanText = (text: string, comment: Comment) => string | Promise<string>;

/** The changes with nothing in them that the model may not see, earlier bodies included. */
export function cleanChanges(
  changes: readonly CommentChange[],
  cleanText: CleanText = (text) => text,
): Promise<readonly CommentChange[]> {
  return Promise.all(
    changes.map(async (change) => {
      const { previousBody } = change;
      const [comment, previous] = await Promise.all([
        cleanComment(change.comment, cleanText),
        previousBody === null ? null : cleanText(previousBody, change.comment),
      ]);
      return { ...change, comment, previousBody: previous };
    }),
  );
}

/** The comment with nothing in it that the model may not see. */
export async function cleanComment(
  comment: Comment,
  cleanText: CleanText = (text) => text,
): Promise<Comment> {
  const { author } = comment;
  const [login, body] = await Promise.all([
    author === null ? '' : cleanText(author.login, comment),
    cleanText(comment.body, comment),
  ]);
  return { ...comment, author: author === null ? null : { ...author, login }, body };
}
