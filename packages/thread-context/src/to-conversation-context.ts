import type { CallOptions } from '@agent/platforms';
import {
  type ConversationLimits,
  defaultCompletionKeywords,
  defaultMaxCommentCount,
} from './comment-handling-config.ts';
import { createCompletionTest } from './completion-keywords.ts';
import {
  type ConversationContext,
  type ConversationEntry,
  type RoleRule,
  requireRoleRule,
  toConversationRole,
} from './conversation.ts';
import { type ConversationTexts, fitConversation, toBudgets } from './fit-conversation.ts';
import {
  type CommentInput,
  type IssueInput,
  type IssueReader,
  type NormalizedComment,
  type NormalizedIssue,
  normalizeComments,
  normalizeIssue,
} from './normalize.ts';

/** Options of `toConversationContext`. */
export type ConversationOptions = RoleRule &
  ConversationLimits & {
    /** Cleans, for a context, a title, a label, a name or a body; asked before anything is cut. Default: all of it. */
    readonly cleanText?: ((text: string) => string) | undefined;
    /** Tells whether a comment reports a finished task, decided otherwise than by keywords. Never asked about the issue. */
    readonly isCompletion?: ((comment: NormalizedComment) => boolean) | undefined;
    /** Told of options that were ignored. Default: nobody. */
    readonly onWarning?: ((message: string) => void) | undefined;
  };

/**
 * Makes the conversation out of one snapshot of an issue: the issue, then its newest comments, oldest first.
 * `comments` is the whole thread in any order; where it is not, the issue's own count tells. Where a budget is
 * given, what does not fit is cut: older comments first, see `fitConversation`.
 *
 * @example
 * const context = toConversationContext(issue, comments, { ownAccount: { id: '5', login: 'robot' } });
 * context.conversation.map(({ role }) => role); // ['user', 'assistant', 'user']
 *
 * @throws ThreadContextError `invalid-input` for a post without id or date, and for options without whose voice is whose
 * @see seed 000 §3.1
 */
export function toConversationContext(
  issueInput: IssueInput,
  commentInputs: readonly CommentInput[],
  options: ConversationOptions,
): ConversationContext {
  requireRoleRule(options);
  const issue = normalizeIssue(issueInput);
  const comments = normalizeComments(commentInputs);
  const maxCount = toMaxCommentCount(options.maxCommentCount, options.onWarning);
  const newest = comments.slice(Math.max(0, comments.length - maxCount));
  const { cleanText = asWritten } = options;
  const whole = toTexts(issue, newest, cleanText);
  const texts = toBudgets(options, options.onWarning).reduce(fitConversation, whole);
  const kept = newest.slice(newest.length - texts.comments.length);
  const total = Math.max(comments.length, issue.commentCount ?? 0);
  const toEntry = createEntryMaker(options);
  return {
    issue: toConversationIssue(issue, { cleanText, description: texts.body }),
    conversation: [
      toIssueEntry({ ...issue, author: cleanText(issue.author) }, texts),
      ...kept.map((comment, index) => toEntry(comment, texts.comments[index] ?? '')),
    ],
    context_summary: {
      total_comments: total,
      truncated: total > kept.length || isCut(texts, whole),
      oldest_included: kept[0]?.createdAt ?? null,
    },
  };
}

/**
 * The number of comments to keep: a whole number from 0, where 0 keeps the issue alone. Left out, it is 10;
 * anything else is 10 as well, with a warning (decisions A3 and X1).
 */
function toMaxCommentCount(
  value: number | undefined,
  onWarning: (message: string) => void = () => {},
): number {
  if (value === undefined) return defaultMaxCommentCount;
  if (Number.isSafeInteger(value) && value >= 0) return value;
  onWarning(`maxCommentCount must be a whole number from 0; got ${value}, using ${defaultMaxCommentCount}`);
  return defaultMaxCommentCount;
}

function toTexts(
  issue: NormalizedIssue,
  comments: readonly NormalizedComment[],
  cleanText: (text: string) => string,
): ConversationTexts {
  return {
    heading: `Issue #${issue.number}: ${cleanText(issue.title)}\n\n`,
    body: cleanText(issue.body),
    comments: comments.map(({ body }) => cleanText(body.replace(/^## 実行完了\r?\n\r?\n/, ''))),
  };
}

/** Only the newest comment is ever shortened. */
function isCut(texts: ConversationTexts, whole: ConversationTexts): boolean {
  return (
    texts.heading !== whole.heading ||
    texts.body !== whole.body ||
    texts.comments.at(-1) !== whole.comments.at(-1)
  );
}

function toConversationIssue(
  issue: NormalizedIssue,
  { cleanText, description }: { readonly cleanText: (text: string) => string; readonly description: string },
): ConversationContext['issue'] {
  return {
    number: issue.number,
    title: cleanText(issue.title),
    description,
    labels: issue.labels.map(cleanText),
    created_at: issue.createdAt,
    updated_at: issue.updatedAt,
  };
}

function toIssueEntry(issue: NormalizedIssue, { heading, body }: ConversationTexts): ConversationEntry {
  return {
    role: 'user',
    content: `${heading}${body}`,
    metadata: { author: issue.author, created_at: issue.createdAt, id: issue.id, is_completion: false },
  };
}

function createEntryMaker(
  options: ConversationOptions,
): (comment: NormalizedComment, content: string) => ConversationEntry {
  const hasKeyword = createCompletionTest(options.completionKeywords ?? defaultCompletionKeywords);
  const { isCompletion = ({ body }: NormalizedComment) => hasKeyword(body), cleanText = asWritten } = options;
  return (comment, content) => ({
    role: toConversationRole(comment, options),
    content,
    metadata: {
      author: cleanText(comment.author),
      created_at: comment.createdAt,
      id: comment.id,
      is_completion: isCompletion(comment),
    },
  });
}

function asWritten(text: string): string {
  return text;
}

/** An entry of a conversation in its earlier form. */
export interface LegacyConversationEntry {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

/**
 * The bare array that callers knew before there was a context around it: role and content, nothing else.
 *
 * @see seed 000 §5
 */
export function toLegacyConversation(context: ConversationContext): LegacyConversationEntry[] {
  return context.conversation.map(({ role, content }) => ({ role, content }));
}

/** Maker of conversations out of issues. */
export interface ContextBuilder {
  /** Reads the issue and its comments once and makes the conversation of them. */
  readonly buildContext: (issueNumber: number, options?: CallOptions) => Promise<ConversationContext>;
}

/**
 * The seed's `buildContext(issueNumber)`, bound to a reader. Errors of the reader pass through as they are.
 * A caller that has a snapshot already calls `toConversationContext` instead.
 *
 * @example
 * const reader = { getIssue: async () => issue, listComments: async () => comments };
 * const { conversation } = await createContextBuilder(reader, { ownAccount: null }).buildContext(7);
 *
 * @throws ThreadContextError `invalid-input`, naming the option that is missing
 * @see seed 000 §3.1
 */
export function createContextBuilder(reader: IssueReader, options: ConversationOptions): ContextBuilder {
  requireRoleRule(options);
  return {
    buildContext: async (issueNumber, call = {}) => {
      const issue = await reader.getIssue(issueNumber, call);
      const comments = await reader.listComments(issueNumber, call);
      return toConversationContext(issue, comments, options);
    },
  };
}
