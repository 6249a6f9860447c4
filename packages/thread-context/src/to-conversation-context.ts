import type { ConversationContext, ConversationEntry } from './conversation.ts';
import { type RoleRule, toConversationRole } from './conversation-role.ts';
import { toMaxCommentCount } from './max-comment-count.ts';
import {
  type NormalisedComment,
  type NormalisedIssue,
  normaliseComments,
  normaliseIssue,
} from './normalise.ts';
import type { CommentInput, IssueInput } from './ports.ts';

export type ConversationOptions = RoleRule & {
  /** Newest comments to keep, the issue itself not counted. Default 10; 0 keeps the issue alone. */
  readonly maxCommentCount?: number | undefined;
  /** Whether a comment reports a finished task. Default: none does. */
  readonly isCompletion?: ((comment: NormalisedComment) => boolean) | undefined;
  /** Told of options that were ignored. Default: nobody. */
  readonly onWarning?: ((message: string) => void) | undefined;
};

/**
 * Makes the conversation out of one snapshot of an issue: the issue, then its newest comments, oldest first.
 * `comments` is the whole thread in any order; where it is not, the issue's own count tells.
 *
 * @throws ThreadContextError `invalid-input` for a post without id or date
 * @see seed 000 §3.1
 */
export function toConversationContext(
  issueInput: IssueInput,
  commentInputs: readonly CommentInput[],
  options: ConversationOptions,
): ConversationContext {
  const issue = normaliseIssue(issueInput);
  const comments = normaliseComments(commentInputs);
  const maxCount = toMaxCommentCount(options.maxCommentCount, options.onWarning);
  const kept = comments.slice(Math.max(0, comments.length - maxCount));
  const total = Math.max(comments.length, issue.commentCount ?? 0);
  return {
    issue: toConversationIssue(issue),
    conversation: [toIssueEntry(issue), ...kept.map((comment) => toCommentEntry(comment, options))],
    context_summary: {
      total_comments: total,
      truncated: total > kept.length,
      oldest_included: kept[0]?.createdAt ?? null,
    },
  };
}

function toConversationIssue(issue: NormalisedIssue): ConversationContext['issue'] {
  return {
    number: issue.number,
    title: issue.title,
    description: issue.body,
    labels: issue.labels,
    created_at: issue.createdAt,
    updated_at: issue.updatedAt,
  };
}

function toIssueEntry(issue: NormalisedIssue): ConversationEntry {
  return {
    role: 'user',
    content: `Issue #${issue.number}: ${issue.title}\n\n${issue.body}`,
    metadata: { author: issue.author, created_at: issue.createdAt, id: issue.id, is_completion: false },
  };
}

function toCommentEntry(comment: NormalisedComment, options: ConversationOptions): ConversationEntry {
  return {
    role: toConversationRole(comment, options),
    content: comment.body.replace(/^## 実行完了\r?\n\r?\n/, ''),
    metadata: {
      author: comment.author,
      created_at: comment.createdAt,
      id: comment.id,
      is_completion: options.isCompletion?.(comment) ?? false,
    },
  };
}
