import type { Comment, CommentAuthor, CommentListing, CommentSource } from './comment.ts';
import { type CommentLedger, findAbsentIds } from './comment-ledger.ts';

/** Above this many comments a thread is not listed whole to find deletions. @see decision B14 */
const maxCompleteListing = 1000;

export interface PollOptions {
  readonly ledger: CommentLedger;
  readonly cursor: string | null;
  /** Tells whether to look for deletions, where the thread is short enough. */
  readonly deletions: boolean;
  /** Tells whether an earlier look showed what "unchanged" refers to. */
  readonly initialized: boolean;
  /** `missing` of the last look. */
  readonly missing: readonly string[];
  /** Asks the source once. */
  readonly list: (since: string | null) => Promise<CommentListing>;
}

/** Result of a look. */
export interface PollResult {
  readonly comments: readonly Comment[];
  /** Ids that two complete listings in a row did not show. */
  readonly absent: readonly string[];
  /** Ids that the last complete listing did not show, while no second one has said so. */
  readonly missing: readonly string[];
  /** Error of the second listing, where it could not be made; what the first showed stands. */
  readonly failure: { readonly error: unknown } | null;
  readonly complete: boolean;
  readonly cursor: string | null;
}

/**
 * One look at the thread. A comment counts as deleted only when two complete listings leave it out: a deletion
 * on an earlier page moves the others, and a listing made at that moment can miss one that is there.
 */
export async function pollThread(options: PollOptions): Promise<PollResult> {
  const { ledger, cursor, deletions, initialized, list } = options;
  const whole = deletions && ledger.entries.size <= maxCompleteListing;
  const since = whole ? null : cursor;
  const first = await list(since);
  if (first.unchanged && !initialized) {
    throw new Error('the source says "unchanged" to a first poll; give every reader a source of its own');
  }
  const complete = first.complete || (first.unchanged && since === null);
  const missing = withoutListed(options.missing, first);
  const poll = { ...toPollResult(first), complete, cursor: first.cursor ?? cursor, missing };
  if (first.unchanged) return whole ? { ...poll, absent: missing, missing: [] } : poll;
  if (!first.complete) return whole ? { ...poll, missing: [] } : poll;
  // A source that shows the whole thread unasked was told of a deletion.
  if (since === null && first.comments.length > maxCompleteListing) return { ...poll, missing: [] };
  return pollTwice({ ...poll, missing: findAbsentIds(ledger, first.comments) }, options);
}

/** Keeps what the first listing showed when the second fails: a source may call it "unchanged" the next time. */
async function pollTwice(poll: PollResult, { ledger, list }: PollOptions): Promise<PollResult> {
  if (poll.missing.length === 0) return poll;
  const settled = { ...poll, missing: [] };
  let second: CommentListing;
  try {
    second = await list(null);
  } catch (error) {
    return { ...poll, failure: { error } };
  }
  if (second.unchanged) return { ...settled, absent: poll.missing };
  const comments = [...poll.comments, ...second.comments];
  if (!second.complete) return { ...settled, comments };
  const stillAbsent = new Set(findAbsentIds(ledger, second.comments));
  return {
    ...settled,
    comments,
    absent: poll.missing.filter((id) => stillAbsent.has(id)),
    cursor: second.cursor ?? poll.cursor,
  };
}

function withoutListed(ids: readonly string[], { comments }: CommentListing): readonly string[] {
  if (ids.length === 0) return ids;
  const listed = new Set(comments.map(({ id }) => id));
  return ids.filter((id) => !listed.has(id));
}

function toPollResult({ comments, complete, cursor }: CommentListing): PollResult {
  return { comments, absent: [], missing: [], failure: null, complete, cursor };
}

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
export async function listWithin(source: CommentSource, options: ListOptions): Promise<CommentListing> {
  const { since, fresh, signal, onMalformed } = options;
  signal.throwIfAborted();
  const looked = new AbortController();
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true, signal: looked.signal });
  });
  try {
    const listing = source.listComments({ since, fresh, signal });
    return readListing(await Promise.race([listing, aborted]), onMalformed);
  } finally {
    looked.abort();
  }
}

/** A listing as it may be trusted: comments that are none are left out, and told of. */
export function readListing(
  listing: CommentListing,
  onMalformed: ListOptions['onMalformed'],
): CommentListing {
  if (!Array.isArray(listing?.comments)) {
    throw new TypeError('the source did not answer with a list of comments; see the port CommentSource');
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
