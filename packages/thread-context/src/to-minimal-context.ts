import type { ConversationContext } from './conversation.ts';

/** What is known of an issue when it could not be read. */
export interface KnownIssue {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly author: string;
  readonly id: number | string;
}

/**
 * A context for a caller who chooses to go on although the issue could not be read: no labels, no dates, no
 * comments, and marked as truncated because what was said is unknown. `buildContext` never makes one by itself.
 */
export function toMinimalContext(issue: KnownIssue): ConversationContext {
  return {
    issue: {
      number: issue.number,
      title: issue.title,
      description: issue.body,
      labels: [],
      created_at: null,
      updated_at: null,
    },
    conversation: [
      {
        role: 'user',
        content: `Issue #${issue.number}: ${issue.title}\n\n${issue.body}`,
        metadata: { author: issue.author, created_at: null, id: issue.id, is_completion: false },
      },
    ],
    context_summary: { total_comments: 0, truncated: true, oldest_included: null },
  };
}
