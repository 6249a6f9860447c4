import type { CommentListing } from '@agent/platforms';
import { untilAborted } from '@agent/text/waiting';
import type { CommentAuthor, CommentSource, SourceComment } from './comment.ts';

export interface ListOptions {
  readonly since: string | null;
  /** Tells whether the answer has to come from a request that begins now. */
  readonly fresh: boolean;
  /** Ends the look, whether the source heeds it or not. */
  readonly signal: AbortSignal;
  /** Told of what was listed and is no comment. */
  readonly onMalformed: (problem: 'no-id' | 'no-body', id: string | null) => void;
}

/** Asks a source once, and reads its answer. */
export async function listWithin(
  source: CommentSource,
  options: ListOptions,
): Promise<CommentListing<SourceComment>> {
  const { onMalformed, ...question } = options;
  const listing = await askWithin(question.signal, () => source.listComments(question));
  return readListing(listing, onMalformed);
}

/** Asks for one comment, and reads the answer. A source without `getComment` is not asked. */
export async function getWithin(
  getComment: NonNullable<CommentSource['getComment']>,
  { id, signal, onMalformed }: Pick<ListOptions, 'signal' | 'onMalformed'> & { readonly id: string },
): Promise<SourceComment | null> {
  const given = await askWithin(signal, () => getComment(id, { signal }));
  if (given === null) return null;
  const { comments } = readListing(
    { comments: [given], complete: false, cursor: null, unchanged: false },
    onMalformed,
  );
  const [comment] = comments;
  if (comment?.id !== id)
    throw new TypeError(`the source was asked for the comment ${id} and returned another`);
  return comment;
}

/** Ends the question with the signal, whether the source heeds it or not. */
export async function askWithin<Answer>(signal: AbortSignal, ask: () => Promise<Answer>): Promise<Answer> {
  signal.throwIfAborted();
  return untilAborted(ask(), signal);
}

/** A listing as it may be trusted: comments that are none are left out, and told of. */
export function readListing(
  listing: CommentListing<SourceComment>,
  onMalformed: ListOptions['onMalformed'],
): CommentListing<SourceComment> {
  if (!Array.isArray(listing?.comments)) {
    throw new TypeError('the source did not return a list of comments; see the port CommentSource');
  }
  const comments = listing.comments.flatMap((listed) => {
    const read = normalizeComment(listed);
    if (read.comment === null) onMalformed(read.problem, read.id);
    return read.comment === null ? [] : [read.comment];
  });
  const { complete = false, cursor = null, unchanged = false } = listing;
  return { comments, complete, cursor, unchanged };
}

/** Reads a comment that a source listed, or says why it is none. */
type NormalizedComment =
  | { readonly comment: SourceComment; readonly problem: null }
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
function normalizeComment(listed: unknown): NormalizedComment {
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
