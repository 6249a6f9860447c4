import { warnOnce } from '@agent/text';
import { checkOptions, expected } from '@agent/text/options';
import type { ConversationContext, ConversationEntry } from './conversation.ts';

/** Place of the newest text that is not ours. */
export type LatestRequest =
  /** `index` into `conversation`; 0 is the issue itself. */
  | { readonly place: 'entry'; readonly index: number; readonly entry: ConversationEntry }
  /** Comments are missing and all that are shown are ours: the request may be among the missing ones. */
  | { readonly place: 'left-out' };

interface LatestRequestOptions {
  /** Tells whether the author of this entry may instruct the agent. Default: every author, with a warning. */
  readonly mayInstruct?: ((entry: ConversationEntry) => boolean) | undefined;
}

/** The function of the option; without it every author counts, and a warning says so once. */
export function toMayInstruct({ mayInstruct }: LatestRequestOptions): (entry: ConversationEntry) => boolean {
  if (mayInstruct !== undefined) return mayInstruct;
  warnOnce(
    '@agent/thread-context: the latest request can be by any author: set mayInstruct (`() => true` if every author may instruct the agent)',
  );
  return () => true;
}

/**
 * Finds the request that a run has to answer: the newest comment by a user who can instruct us, or the issue itself
 * without such a comment. The issue is a request of any author.
 */
export function findLatestRequest(
  context: ConversationContext,
  options: LatestRequestOptions = {},
): LatestRequest {
  checkOptions('The options of findLatestRequest', options, { mayInstruct: expected.function });
  const mayInstruct = toMayInstruct(options);
  const index = context.conversation.findLastIndex(
    (entry, place) => entry.role === 'user' && (place === 0 || mayInstruct(entry)),
  );
  const entry = context.conversation[index];
  if (entry === undefined || (index === 0 && countLeftOut(context) !== 0)) return { place: 'left-out' };
  return { place: 'entry', index, entry };
}

/** Number of comments of a context. */
export interface CommentCount {
  readonly total: number;
  readonly leftOut: number;
  /** The oldest comment of the context. */
  readonly first: { readonly number: number };
}

export function countComments(context: ConversationContext): CommentCount {
  const leftOut = countLeftOut(context) ?? 0;
  return { total: context.context_summary.total_comments, leftOut, first: { number: leftOut + 1 } };
}

/** Counts the comments of the thread that the context does not; null when the thread could not be read. */
export function countLeftOut({ issue, conversation, context_summary }: ConversationContext): number | null {
  const isUnread = context_summary.truncated && issue.created_at === null;
  return isUnread ? null : context_summary.total_comments - (conversation.length - 1);
}

/** Facts known of an issue when it could not be read. */
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
