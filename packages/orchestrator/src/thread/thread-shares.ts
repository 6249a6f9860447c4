import type { RunSettings } from '../config/run-settings.ts';

/** Sizes in tokens of what a model is shown of a thread, by its context window. */
export interface ThreadShares {
  /** Issue text and comments in one request: first message, pre-planning, final summary. */
  readonly thread: number;
  /** One comment. */
  readonly comment: { readonly trusted: number; readonly untrusted: number };
  /** All comments that are delivered at one checkpoint. */
  readonly batch: number;
  /** One result of `read_comment`. */
  readonly result: number;
  /** Tool that reads what is not shown; undefined for an agent that has tools of its own only. */
  readonly readTool: string | undefined;
  /** Number of newest comments that are shown; undefined for as many as fit. */
  readonly maxShown: number | undefined;
}

export interface ThreadShareOptions {
  /** Size of the model's context window, in tokens. */
  readonly contextLength: number;
  readonly settings: {
    readonly comment_handling: Pick<
      RunSettings['comment_handling'],
      'max_context_share' | 'max_comment_count'
    >;
    /** Null for the runner's own loop, which has the tool `read_comment`. */
    readonly executor: object | null;
  };
}

/** Name of the tool that reads comments of the run's own thread. */
export const readCommentName = 'read_comment';

/** Stands for the first line of an internal note: what it says is only shown together with its rule. */
export const internalLine = '(internal note)';

/** Shares of a batch and of the thread that comments of untrusted users can take together. */
export const untrustedShare = 1 / 2;

const minThreadTokens = 2_000;

/** Computes the sizes. A small window keeps a minimum for each. */
export function toThreadShares({ contextLength, settings }: ThreadShareOptions): ThreadShares {
  const { max_context_share: threadShare, max_comment_count: maxShown } = settings.comment_handling;
  const share = (part: number, least: number) => Math.max(least, Math.floor(contextLength * part));
  return {
    thread: share(threadShare, minThreadTokens),
    comment: { trusted: share(0.1, 500), untrusted: share(0.04, 300) },
    batch: share(0.25, 1_000),
    result: share(0.125, 750),
    readTool: settings.executor === null ? readCommentName : undefined,
    maxShown: maxShown ?? undefined,
  };
}

export interface ShortenedComment {
  readonly id: string;
  /** Characters that are shown. */
  readonly shown: number;
  readonly total: number;
  /** Default: the characters that are shown. */
  readonly offset?: number | undefined;
}

/** The note below a text that is longer than what is shown of it. */
export function formatShortened(
  { id, shown, total, offset = shown }: ShortenedComment,
  { readTool }: Pick<ThreadShares, 'readTool'>,
): string {
  const hint =
    readTool === undefined ? '' : ` Read on with \`${readTool}\` {"id": "${id}", "offset": ${offset}}.`;
  return `(Shortened: the first ${shown} of ${total} characters.${hint})`;
}
