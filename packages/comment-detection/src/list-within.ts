import type { CommentListing } from './model.ts';
import { normalizeComment } from './normalize-comment.ts';
import type { CommentSource } from './ports.ts';

export interface ListOptions {
  readonly since: string | null;
  /** Whether the answer has to come from a request that begins now. */
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
