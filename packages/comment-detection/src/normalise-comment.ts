import type { Comment, CommentAuthor } from './model.ts';

/** What a source listed, read; or why it cannot be a comment. */
export type NormalisedComment =
  | { readonly comment: Comment; readonly problem: null }
  | { readonly comment: null; readonly problem: 'no-id' | 'no-body'; readonly id: string | null };

/**
 * Takes what a source listed at its word as little as possible: ids become text, a missing author is called
 * "unknown" (null stays null: the account was deleted), a missing time is empty. Without an id or a body there
 * is no comment. What else the comment carries is kept.
 *
 * @see seed 001 §5.2
 */
export function normaliseComment(listed: unknown): NormalisedComment {
  const fields = isRecord(listed) ? listed : {};
  const id = toId(fields.id);
  if (id === null) return { comment: null, problem: 'no-id', id };
  if (typeof fields.body !== 'string') return { comment: null, problem: 'no-body', id };
  const comment = {
    ...fields,
    id,
    author: toAuthor(fields.author),
    body: fields.body,
    createdAt: typeof fields.createdAt === 'string' ? fields.createdAt : '',
    updatedAt: typeof fields.updatedAt === 'string' ? fields.updatedAt : null,
  };
  return { comment, problem: null };
}

function toId(id: unknown): string | null {
  if (typeof id === 'string') return id === '' ? null : id;
  return typeof id === 'bigint' || Number.isSafeInteger(id) ? String(id) : null;
}

function toAuthor(author: unknown): CommentAuthor | null {
  if (author === null) return null;
  if (typeof author === 'string') return { id: '', login: author || 'unknown' };
  if (!isRecord(author) || typeof author.login !== 'string') return { id: '', login: 'unknown' };
  return { ...author, id: toId(author.id) ?? '', login: author.login };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
