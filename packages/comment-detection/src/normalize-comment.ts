import type { Comment, CommentAuthor } from './model.ts';

/** What a source listed, read; or why it cannot be a comment. */
export type NormalizedComment =
  | { readonly comment: Comment; readonly problem: null }
  | { readonly comment: null; readonly problem: 'no-id' | 'no-body'; readonly id: string | null };

/**
 * Takes what a source listed at its word as little as possible: ids become text, a missing author is called
 * "unknown" (null stays null: the account was deleted), a missing time is empty. Without an id or a body there
 * is no comment. A row of GitHub's or GitLab's interface is read as it is: `user`, `username`, `created_at`; a time may be a
 * `Date`, as databases give it. What else
 * the comment carries is kept.
 *
 * @see seed 001 §5.2
 */
export function normalizeComment(listed: unknown): NormalizedComment {
  const fields = isRecord(listed) ? listed : {};
  const id = toId(fields.id);
  if (id === null) return { comment: null, problem: 'no-id', id };
  if (typeof fields.body !== 'string') return { comment: null, problem: 'no-body', id };
  const comment = {
    ...fields,
    id,
    author: toAuthor(fields.author === undefined ? fields.user : fields.author),
    body: fields.body,
    createdAt: findTime(fields.createdAt, fields.created_at) ?? '',
    updatedAt: findTime(fields.updatedAt, fields.updated_at),
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
  const { login, username, kind, type } = isRecord(author) ? author : {};
  const name = findText(login, username);
  if (!isRecord(author) || name === null) return { id: '', login: 'unknown' };
  const isBot = kind === undefined && type === 'Bot';
  return { ...author, id: toId(author.id) ?? '', login: name, ...(isBot ? { kind: 'bot' } : {}) };
}

function findTime(...values: readonly unknown[]): string | null {
  return findText(...values.map((value) => (isTime(value) ? value.toISOString() : value)));
}

function isTime(value: unknown): value is Date {
  return value instanceof Date && !Number.isNaN(value.getTime());
}

function findText(...values: readonly unknown[]): string | null {
  return values.find((value): value is string => typeof value === 'string') ?? null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
