import { describe, expect, it } from 'vitest';
import { commentHandlingConfigSchema, toConversationLimits } from './comment-handling-config.ts';

describe('the section comment_handling', () => {
  it('needs nothing in it [CC-6] [A6] [A10]', () => {
    expect(commentHandlingConfigSchema.parse({})).toEqual({
      max_comment_count: null,
      max_context_share: 0.15,
      completion_keywords: ['完了', 'done', 'completed', 'finished'],
      max_context_chars: null,
    });
  });

  it('refuses unknown keys and values that are of no use [X1]', () => {
    for (const section of [
      { max_comments: 3 },
      { max_comment_count: -1 },
      { max_comment_count: 1.5 },
      { max_comment_count: '10' },
      { completion_keywords: ['  '] },
      { completion_keywords: 'done' },
      { max_context_chars: 0 },
      { max_context_share: 0 },
      { max_context_share: 0.6 },
    ]) {
      expect(commentHandlingConfigSchema.safeParse(section).success).toBe(false);
    }
  });

  it('becomes the options of a conversation [CC-6] [A10]', () => {
    const section = { max_comment_count: 3, completion_keywords: ['済み'], max_context_chars: 9_000 };
    expect(toConversationLimits(commentHandlingConfigSchema.parse(section))).toEqual({
      maxCommentCount: 3,
      completionKeywords: ['済み'],
      maxContextChars: 9_000,
    });
    expect(toConversationLimits(commentHandlingConfigSchema.parse({}))).not.toHaveProperty('maxContextChars');
  });
});
