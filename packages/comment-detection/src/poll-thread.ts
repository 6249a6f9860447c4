import type { CommentListing } from '@agent/platforms';
import { hashBody } from './changes.ts';
import type { SourceComment } from './comment.ts';
import { timeOf } from './comment.ts';
import { type CommentLedger, findAbsentIds } from './comment-ledger.ts';

/** Above this many comments a deletion is not looked for where nothing proves one. @see decision B14 */
const maxUnproven = 1000;

export interface PollOptions {
  readonly ledger: CommentLedger;
  readonly cursor: string | null;
  /** Tells whether the whole thread is listed, to find deletions and what bears an old time. */
  readonly whole: boolean;
  /** Tells whether an earlier look showed what "unchanged" refers to. */
  readonly initialized: boolean;
  /** `missing` of the last look. */
  readonly missing: readonly string[];
  /** Asks the source once. */
  readonly list: (since: string | null) => Promise<CommentListing<SourceComment>>;
  /** Asks for one comment, null where there is none; null where the source cannot. */
  readonly get: ((id: string) => Promise<SourceComment | null>) | null;
}

/** Result of a look. */
export interface PollResult {
  readonly comments: readonly SourceComment[];
  /** Comments that stand for certain, whatever their times: the platform was asked again for them. */
  readonly proven: readonly SourceComment[];
  /** Ids of comments that are gone for certain. */
  readonly absent: readonly string[];
  /** Ids that the last complete listing did not show, while nothing has proven that they are gone. */
  readonly missing: readonly string[];
  /** Error of the proof, where it could not be made; what the listing showed stands. */
  readonly failure: { readonly error: unknown } | null;
  readonly complete: boolean;
  readonly cursor: string | null;
}

/** A look that needed no proof. */
export function toPollResult({ comments, complete, cursor }: CommentListing<SourceComment>): PollResult {
  return { comments, proven: [], absent: [], missing: [], failure: null, complete, cursor };
}

/**
 * One look at the thread. Lists lag, and a deletion on an earlier page moves the others: so what a listing leaves out, what it
 * shows as older than it was seen, and what comes back are only believed on proof.
 */
export async function pollThread(options: PollOptions): Promise<PollResult> {
  const { ledger, cursor, whole, initialized, list, get } = options;
  const since = whole ? null : cursor;
  const first = await list(since);
  if (first.unchanged && !initialized) {
    throw new Error('the source answered "unchanged" to a first poll; give every reader its own source');
  }
  const isWhole = whole && (get !== null || ledger.entries.size <= maxUnproven);
  const complete = first.complete || (first.unchanged && since === null);
  const missing = withoutListed(options.missing, first);
  const poll = { ...toPollResult(first), complete, cursor: first.cursor ?? cursor, missing };
  if (first.unchanged) {
    if (!isWhole || missing.length === 0) return poll;
    return get === null
      ? { ...poll, absent: missing, missing: [] }
      : proveByAsking(poll, { ids: missing, get });
  }
  const odd = findOdd(ledger, { comments: first.comments, canAsk: get !== null });
  const isTooLong = get === null && since === null && first.comments.length > maxUnproven;
  const isSearched = first.complete && !isTooLong;
  const absent = isSearched ? findAbsentIds(ledger, first.comments) : [];
  const looked = { ...poll, missing: first.complete || whole ? absent : missing };
  const ids = [...absent, ...odd.map(({ id }) => id)];
  if (ids.length === 0) return looked;
  if (get !== null) return proveByAsking(looked, { ids, get });
  return isSearched ? proveByListing(looked, { odd, ...options }) : looked;
}

/**
 * Finds comments that are shown after they were deleted, and comments whose text differs from the one seen while their
 * time is not newer. Times of platforms are whole seconds: of two edits within one second either can come last, so the
 * same time counts as well where one comment can be requested.
 */
function findOdd(
  { entries }: CommentLedger,
  { comments, canAsk }: { readonly comments: readonly SourceComment[]; readonly canAsk: boolean },
): readonly SourceComment[] {
  return comments.filter((comment) => {
    const entry = entries.get(comment.id);
    if (entry === undefined) return false;
    if (entry.closed) return true;
    const age = timeOf(entry.comment.updatedAt) - timeOf(comment.updatedAt);
    const isDoubtful = age > 0 || (age === 0 && canAsk);
    return comment.updatedAt !== null && isDoubtful && hashBody(comment.body) !== entry.hash;
  });
}

interface Doubts {
  readonly ids: readonly string[];
  readonly get: NonNullable<PollOptions['get']>;
}

/** Asks for each comment by its id. What could not be asked stays as it is until the next look. */
async function proveByAsking(poll: PollResult, { ids, get }: Doubts): Promise<PollResult> {
  const proven: SourceComment[] = [];
  const absent: string[] = [];
  for (const [index, id] of ids.entries()) {
    try {
      const comment = await get(id);
      if (comment === null) absent.push(id);
      else proven.push(comment);
    } catch (error) {
      const unasked = new Set(ids.slice(index));
      return {
        ...poll,
        proven,
        absent,
        missing: poll.missing.filter((one) => unasked.has(one)),
        failure: { error },
      };
    }
  }
  const asked = new Set(ids);
  return { ...poll, proven, absent, missing: poll.missing.filter((one) => !asked.has(one)) };
}

/** Lists once more, and keeps what the first listing showed when that fails: a source may call it "unchanged" the next time. */
async function proveByListing(
  poll: PollResult,
  { odd, ledger, list }: Pick<PollOptions, 'ledger' | 'list'> & { readonly odd: readonly SourceComment[] },
): Promise<PollResult> {
  const isAlive = ({ id }: SourceComment) => ledger.entries.get(id)?.closed !== true;
  const settled = { ...poll, missing: [] };
  let second: CommentListing<SourceComment>;
  try {
    second = await list(null);
  } catch (error) {
    return { ...poll, failure: { error } };
  }
  if (second.unchanged) return { ...settled, absent: poll.missing, proven: odd.filter(isAlive) };
  const comments = [...poll.comments, ...second.comments];
  if (!second.complete) return { ...settled, comments };
  const isSame = (one: SourceComment) => (other: SourceComment) =>
    one.id === other.id && one.body === other.body && one.updatedAt === other.updatedAt;
  const stillAbsent = new Set(findAbsentIds(ledger, second.comments));
  return {
    ...settled,
    comments,
    proven: odd.filter((one) => isAlive(one) && second.comments.some(isSame(one))),
    absent: poll.missing.filter((id) => stillAbsent.has(id)),
    cursor: second.cursor ?? poll.cursor,
  };
}

function withoutListed(
  ids: readonly string[],
  { comments }: CommentListing<SourceComment>,
): readonly string[] {
  const listed = new Set(comments.map(({ id }) => id));
  return ids.filter((id) => !listed.has(id));
}
