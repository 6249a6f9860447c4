import type { CheckConclusion, Comment, EnsuredComment, LineSubject } from './model.ts';
import type { CallOptions, CommentSource, ThreadReader, WantedComment } from './ports.ts';

/** A source that proves what is gone, where the platform shows one comment by its id. */
export type ProvenSource = CommentSource & Pick<ThreadReader, 'getComment'>;

/** Reviewers and programs on one change request, beside its conversation. */
export interface ReviewPorts {
  /** Comments on lines; their ids begin with `line-`. */
  readonly lines: ProvenSource;
  /** Reviews as a whole, those that say nothing left out; their ids begin with `review-`. Null where a platform has none. */
  readonly reviews: ProvenSource | null;
  readonly threads: ReviewThreads;
  readonly checks: Checks;
  /** Tells whether it waits in a merge queue. Optional: only for platforms whose change requests do not show it. */
  readonly isMergeQueued?: ((options?: CallOptions) => Promise<boolean>) | undefined;
}

/** Comments that answer each other on the same lines. */
export interface ReviewThread
  extends Pick<LineSubject, 'path' | 'firstLine' | 'lastLine' | 'side' | 'outdated'> {
  readonly id: string;
  readonly resolved: boolean;
  /** Oldest first, never empty; the first one opened it. */
  readonly comments: readonly Comment[];
}

/** The answer of ours that should stand in a review thread. */
export interface ReviewAnswer extends Pick<WantedComment, 'topic' | 'body' | 'mayExist'>, CallOptions {
  /** Id of the thread. */
  readonly reviewThread: string;
}

/** Reads, answers and resolves the review threads of one change request. */
export interface ReviewThreads {
  /** All of them, by the time of their first comments, read anew. */
  readonly list: (options?: CallOptions) => Promise<readonly ReviewThread[]>;
  /**
   * Makes the review thread carry exactly one answer of ours on this topic, with this body. Found by a hidden marker as
   * in `CommentWriter.ensureComment`; repeating it is safe. Rejects with `not-found` where there is no such thread.
   */
  readonly answer: (answer: ReviewAnswer) => Promise<EnsuredComment>;
  /** Resolving one that is resolved is not an error. */
  readonly resolve: (reviewThread: string, options?: CallOptions) => Promise<void>;
}

/** One attempt of a program to judge a commit. */
export interface Check {
  /** Names the attempt to `readLog` and `rerun`. */
  readonly id: string;
  readonly name: string;
  /** Commit that it judges. */
  readonly head: string;
  /** Null while it waits or runs. */
  readonly conclusion: CheckConclusion | null;
  /** Counts from 1 among the attempts of this name on this head. */
  readonly attempt: number;
  /** True where the change may not be merged without it; null where the credential may not know. */
  readonly required: boolean | null;
  /** Words of the program: a title, a summary. Empty where it says nothing. */
  readonly summary: string;
  /** ISO 8601, as received. */
  readonly startedAt: string;
  /** Null while it waits or runs. */
  readonly endedAt: string | null;
  readonly url: string | null;
}

/** Question for the checks of a change request. */
export interface ListChecksOptions extends CallOptions {
  /** Commit that was checked; an older one has the checks that it had. */
  readonly head: string;
}

/** Reads and repeats the checks of one change request. */
export interface Checks {
  /** Commit that the change request proposes now. */
  readonly readHead: (options?: CallOptions) => Promise<string>;
  /** Every attempt of every check of this commit, earlier ones too, by the time of their start. */
  readonly list: (options: ListChecksOptions) => Promise<readonly Check[]>;
  /** The end of its log, at most 20,000 characters; null where it has none, or none that the credential may read. */
  readonly readLog: (check: Pick<Check, 'id'>, options?: CallOptions) => Promise<string | null>;
  /** Rejects with `conflict` where it cannot be repeated: it still runs, is too old, or its program does not offer it. */
  readonly rerun: (check: Pick<Check, 'id'>, options?: CallOptions) => Promise<void>;
}
