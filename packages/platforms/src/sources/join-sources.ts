import { checkOptions, expected } from '@agent/text/options';
import { compareComments } from '../listings/comment-listing.ts';
import type { CommentListing } from '../model.ts';
import { PlatformError } from '../platform-error.ts';
import type { ListCommentsOptions } from '../ports.ts';
import type { ProvenSource } from '../review-ports.ts';

/** One of the sources that are joined. */
export interface SourcePart {
  /** Stands in the cursor, so that it has to stay the same over versions. */
  readonly name: string;
  readonly source: ProvenSource;
  /** Beginning of its comments' ids; empty for all that no other part claims. */
  readonly idPrefix: string;
  /** True where a credential may lack it for good: refused (403, 404), it is left out, and told of once. Default false. */
  readonly mayLack?: boolean | undefined;
}

/** Options of a joined source. */
export interface JoinSourcesOptions {
  /** Told once of a part that is left out, until it has answered again. */
  readonly onLeftOut?: ((name: string, error: PlatformError) => void) | undefined;
}

/**
 * Joins lists of comments into the one source that they stand for, in the order of time. It is complete only where all parts are, and
 * unchanged only where all are. A part that fails fails the poll; what the others have shown is shown by the next one. A part that
 * the credential may not read is left out; it is asked again by every fresh poll, and after 1, 2, 4 … 64 others: a server may refuse for a
 * moment only.
 *
 * @example
 * const source = joinSources([
 *   { name: 'conversation', source: platform.openThread(key).comments, idPrefix: '' },
 *   { name: 'lines', source: review.lines, idPrefix: 'line-' },
 * ]);
 */
export function joinSources(parts: readonly SourcePart[], options: JoinSourcesOptions = {}): ProvenSource {
  checkOptions('JoinSourcesOptions', options, { onLeftOut: expected.function });
  const joined = parts.map((part) => joinPart(part, options));
  return {
    listComments: async (question) => {
      const cursors = parseCursor(question.since, parts);
      const polls = await settleAll(joined.map(({ poll }, index) => poll(question, cursors[index] ?? null)));
      const listings = polls.map(({ listing }, index) => ({
        ...listing,
        cursor: listing.cursor ?? cursors[index] ?? null,
      }));
      const cursor = formatCursor(listings, parts);
      if (listings.every(({ unchanged }) => unchanged))
        return { comments: [], complete: false, cursor, unchanged: true };
      const shown = question.since === null ? polls.map(({ whole }) => whole) : listings;
      for (const { settle } of joined) settle();
      const comments = shown.flatMap((listing) => listing.comments).toSorted(compareComments);
      return { comments, complete: shown.every(({ complete }) => complete), cursor, unchanged: false };
    },
    getComment: async (id, call) => {
      const claims = ({ idPrefix }: SourcePart) => id.startsWith(idPrefix);
      const index = parts.findIndex((part) => part.idPrefix !== '' && claims(part));
      const at = index < 0 ? parts.findIndex(claims) : index;
      const getComment = parts[at]?.source.getComment;
      if (getComment !== undefined) return getComment(id, call);
      const poll = await joined[at]?.poll({ since: null, fresh: true, ...call }, null);
      return poll?.whole.comments.find((comment) => comment.id === id) ?? null;
    },
  };
}

/** Listing of one part. */
interface PartPoll {
  /** News, and what an earlier poll could not tell because another part had failed. */
  readonly listing: CommentListing;
  /** The whole, also where it has not changed since it was last listed. */
  readonly whole: CommentListing;
}

interface JoinedPart {
  readonly poll: (question: ListCommentsOptions, since: string | null) => Promise<PartPoll>;
  /** All that it has listed is told. */
  readonly settle: () => void;
}

function joinPart(
  { name, source, mayLack = false }: SourcePart,
  { onLeftOut }: JoinSourcesOptions,
): JoinedPart {
  const listed = new Map<string | null, { readonly listing: CommentListing; isTold: boolean }>();
  let refusals = 0;
  /** Polls that are still to pass before it is asked again. */
  let rests = 0;
  const ask = async (question: ListCommentsOptions): Promise<CommentListing | null> => {
    if (rests > 0 && question.fresh !== true) {
      rests -= 1;
      return null;
    }
    try {
      const listing = await source.listComments(question);
      [refusals, rests] = [0, 0];
      return listing;
    } catch (error) {
      if (!mayLack || !isLack(error)) throw error;
      if (refusals === 0) onLeftOut?.(name, error);
      rests = 2 ** Math.min(refusals, 6);
      refusals += 1;
      return null;
    }
  };
  return {
    poll: async (question, since) => {
      const answer = await ask({ ...question, since });
      if (answer?.unchanged === false) {
        // A source says "unchanged" of the whole and of the last cursor alone.
        for (const other of listed.keys()) if (other !== null) listed.delete(other);
        listed.set(since, { listing: answer, isTold: false });
      }
      const last = listed.get(since);
      const quiet = answer ?? { comments: [], complete: false, cursor: since, unchanged: true };
      const listing = last?.isTold === false ? last.listing : quiet;
      const nothing = answer === null ? { ...quiet, complete: true } : quiet;
      return { listing, whole: listed.get(null)?.listing ?? nothing };
    },
    settle: () => {
      for (const one of listed.values()) one.isTold = true;
    },
  };
}

function isLack(error: unknown): error is PlatformError {
  return PlatformError.isInstance(error) && (error.code === 'forbidden' || error.code === 'not-found');
}

/** Waits for all, so that nothing goes on behind a poll that has failed. */
async function settleAll<Result>(calls: readonly Promise<Result>[]): Promise<readonly Result[]> {
  await Promise.allSettled(calls);
  return Promise.all(calls);
}

/** The cursor of each part. One that no joined source made is that of the first part, which was there alone before. */
function parseCursor(since: string | null, parts: readonly SourcePart[]): readonly (string | null)[] {
  if (since === null) return parts.map(() => null);
  if (!since.startsWith('{')) return parts.map((_, index) => (index === 0 ? since : null));
  const cursors: Readonly<Record<string, unknown>> = JSON.parse(since);
  return parts.map(({ name }) => {
    const cursor = cursors[name];
    return typeof cursor === 'string' ? cursor : null;
  });
}

function formatCursor(
  listings: readonly Pick<CommentListing, 'cursor'>[],
  parts: readonly SourcePart[],
): string | null {
  const known = parts.flatMap(({ name }, index) => {
    const cursor = listings[index]?.cursor ?? null;
    return cursor === null ? [] : [[name, cursor] as const];
  });
  return known.length === 0 ? null : JSON.stringify(Object.fromEntries(known));
}
