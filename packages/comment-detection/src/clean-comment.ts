import type { Comment } from './model.ts';

/** The comment with nothing in it that the model may not see. */
export function cleanComment(
  comment: Comment,
  cleanText: (text: string) => string = (text) => text,
): Comment {
  const { author, body } = comment;
  return {
    ...comment,
    author: author === null ? null : { ...author, login: cleanText(author.login) },
    body: cleanText(body),
  };
}
