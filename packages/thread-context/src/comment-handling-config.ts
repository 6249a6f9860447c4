import * as z from 'zod';
import type { ContextBudgetOptions } from './fit-conversation.ts';

/** Limits on what is kept of a thread, and what marks a completion. */
export interface ConversationLimits extends ContextBudgetOptions {
  /** Newest comments to keep, the issue itself not counted. Default 10; 0 keeps the issue alone. */
  readonly maxCommentCount?: number | undefined;
  /** Words of a comment that says a task is done. Default `完了`, `done`, `completed`, `finished`; empty: nothing does. */
  readonly completionKeywords?: readonly string[] | undefined;
}

/** Number of comments that a context holds when nothing else is said. @see seed 000 §4 */
export const defaultMaxCommentCount = 10;

/** Words that say that a task is done when nothing else is configured. @see decision A6 */
export const defaultCompletionKeywords: readonly string[] = ['完了', 'done', 'completed', 'finished'];

/**
 * The section `comment_handling` of a configuration file; every key has a default, unknown keys are errors.
 *
 * @see seed 000 §4, decisions A3, A6, A10 and X1
 */
export const commentHandlingConfigSchema = z.strictObject({
  /** Newest comments that are shown whole, the issue not counted; 0: the issue alone; null: as many as fit. */
  max_comment_count: z.int().min(0).nullable().default(null),
  /** Share of the model's context window for the issue and its comments; at least 2,000 tokens. */
  max_context_share: z.number().min(0.01).max(0.5).default(0.15),
  /** Words of a comment that says a task is done. */
  completion_keywords: z.array(z.string().trim().min(1)).default([...defaultCompletionKeywords]),
  /** Characters that the issue and its comments have together; null: as many as they have. */
  max_context_chars: z.int().min(1).nullable().default(null),
});

/**
 * The section as options of `toConversationContext`.
 *
 * @example
 * const section = commentHandlingConfigSchema.parse({ max_comment_count: 20 });
 * toConversationContext(issue, comments, { ownAccount: null, ...toConversationLimits(section) });
 */
export function toConversationLimits(
  config: z.infer<typeof commentHandlingConfigSchema>,
): ConversationLimits {
  return {
    maxCommentCount: config.max_comment_count ?? Number.MAX_SAFE_INTEGER,
    completionKeywords: config.completion_keywords,
    ...(config.max_context_chars === null ? {} : { maxContextChars: config.max_context_chars }),
  };
}
