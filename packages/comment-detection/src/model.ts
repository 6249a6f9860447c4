/** Author of a comment. `id` is the platform's own number as text: names change, ids do not. */
export interface CommentAuthor {
  readonly id: string;
  readonly login: string;
  /** Given where the platform says so. A login that ends in `[bot]` is a bot's anyway. */
  readonly kind?: 'person' | 'bot' | undefined;
}

/** One comment of a thread, as a source lists it. */
export interface Comment {
  /** Text on every platform, so that ids compare alike. @see seed 001 §2.2.2 */
  readonly id: string;
  /** Null when the account was deleted. */
  readonly author: CommentAuthor | null;
  readonly body: string;
  /** ISO 8601, as received. */
  readonly createdAt: string;
  /** Null where the platform does not say. */
  readonly updatedAt: string | null;
  /** Readers of the comment, in the source's own word (`public`, `internal`): kept as it is, for `prepareBody`. */
  readonly visibility?: string | undefined;
}

/** One look at a thread. */
export interface CommentListing {
  /** Ascending: by creation time, then id. No system notes. */
  readonly comments: readonly Comment[];
  /** Tells whether `comments` is the whole thread, or only what changed since the cursor. */
  readonly complete: boolean;
  /** For the next look; null until the platform has shown a comment. */
  readonly cursor: string | null;
  /** True when the platform answered that nothing changed; `comments` is then empty. */
  readonly unchanged: boolean;
}

/** Authority of an author: may steer the agent (`trusted`), or is only listened to. */
export type Authority = 'trusted' | 'untrusted';
