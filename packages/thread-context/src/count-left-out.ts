import type { ConversationContext } from './conversation.ts';

/** Counts the comments of the thread that the context does not; null when the thread could not be read. */
export function countLeftOut({ issue, conversation, context_summary }: ConversationContext): number | null {
  const isUnread = context_summary.truncated && issue.created_at === null;
  return isUnread ? null : context_summary.total_comments - (conversation.length - 1);
}
