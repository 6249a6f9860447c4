import type { OwnComment } from './model.ts';
import type { CallOptions } from './ports.ts';

/** The comment of ours that should be there. */
export interface WantedComment extends CallOptions {
  readonly topic: string;
  readonly body: string;
  /**
   * A line under the marker that readers do not see, for the agent itself: letters, digits and `=:;,._ -`, without "--".
   * Default none.
   */
  readonly note?: string | undefined;
  /**
   * True where only those may read it who read internal notes; a platform without such notes has none to answer to. One
   * that everybody reads is then left as it is, and another one written. Default false.
   */
  readonly internal?: boolean | undefined;
}

/** Our comment, and what had to be done for it. */
export interface EnsuredComment {
  readonly id: string;
  readonly url: string | null;
  readonly change: 'created' | 'updated' | 'unchanged';
}

/** Writes our own comments. */
export interface CommentWriter {
  /**
   * Makes the thread carry exactly one comment of ours on this topic, with this body. Found by a hidden marker
   * in comments of our own account; skips the write when nothing changed. Repeating it is always safe. Of two, the younger goes.
   */
  readonly ensureComment: (comment: WantedComment) => Promise<EnsuredComment>;
}

/** Reads and removes our own comments. */
export interface OwnComments {
  /**
   * Lists our own comments that carry a topic, oldest first, read anew. Of several with one topic and one audience only the
   * oldest stays; the younger are removed, and one that could not be removed is listed.
   */
  readonly list: (options?: CallOptions) => Promise<readonly OwnComment[]>;
  /** Removing one that is not there is not an error. */
  readonly remove: (id: string, options?: CallOptions) => Promise<void>;
}
