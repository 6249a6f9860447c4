import { type ThreadShares, toThreadShares } from '../src/thread/thread-shares.ts';

/** The sizes for a window of so many tokens, with the default settings. */
export function sharesOf(contextLength: number, maxCommentCount: number | null = null): ThreadShares {
  const comment_handling = { max_context_share: 0.15, max_comment_count: maxCommentCount };
  return toThreadShares({ contextLength, settings: { comment_handling, executor: null } });
}
