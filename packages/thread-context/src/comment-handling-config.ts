import { z } from 'zod';
import { defaultCompletionKeywords } from './completion-keywords.ts';
import { defaultMaxCommentCount } from './max-comment-count.ts';
import type { ConversationLimits } from './to-conversation-context.ts';

/**
 * The section `comment_handling` of a configuration file; every key has a default, unknown keys are errors.
 *
 * @see seed 000 §4, decisions A3, A6, A10 and X1
 */
export const commentHandlingConfigSchema = z.strictObject({
  /** Newest comments that a context holds, the issue not counted; 0: the issue alone. */
  max_comment_count: z.int().min(0).default(defaultMaxCommentCount),
  /** Words of a comment that says a task is done. */
  completion_keywords: z.array(z.string().trim().min(1)).default([...defaultCompletionKeywords]),
  /** Characters that the issue and its comments have together; null: as many as they have. */
  max_context_chars: z.int().min(1).nullable().default(null),
});

/** The section as options of `toConversationContext`. */
export function toConversationLimits(
  config: z.infer<typeof commentHandlingConfigSchema>,
): ConversationLimits {
  return {
    maxCommentCount: config.max_comment_count,
    completionKeywords: config.completion_keywords,
    ...(config.max_context_chars === null ? {} : { maxContextChars: config.max_context_chars }),
  };
}
