import type { CallOptions } from '@agent/platforms';
import {
  checkOptions,
  checkValue,
  type Expectation,
  expected,
  expectList,
  expectNumber,
  expectPort,
} from '@agent/text/options';
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
  roleExpectations,
  toConversationRole,
} from './conversation.ts';
import {
  budgetExpectations,
  type ConversationTexts,
  fitConversation,
  toBudgets,
} from './fit-conversation.ts';
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
  };

type OptionName = keyof ConversationLimits | keyof typeof roleExpectations | 'cleanText' | 'isCompletion';

const expectations = {
  ...roleExpectations,
  ...budgetExpectations,
  maxCommentCount: expectNumber(0, { isWhole: true }),
  completionKeywords: expectList({ isMet: (value) => typeof value === 'string', text: 'a text' }),
  cleanText: expected.function,
  isCompletion: expected.function,
} as const satisfies Record<OptionName, Expectation>;

/** @throws TypeError that names the option */
function checkConversationOptions(options: ConversationOptions): void {
  const required = options?.roleMapping === 'owner' ? 'owner' : 'ownAccount';
  checkOptions('ConversationOptions', options, expectations, [required]);
}

/**
 * Makes the conversation out of one snapshot of an issue: the issue, then its newest comments, oldest first.
 * `comments` is the whole thread in any order; where it is not, the issue's own count tells. Where a budget is
 * given, what does not fit is cut: older comments first, see `fitConversation`.
 *
 * @example
 * const context = toConversationContext(issue, comments, { ownAccount: { id: '5', login: 'robot' } });
 * context.conversation.map(({ role }) => role); // ['user', 'assistant', 'user']
 *
 * @throws ThreadContextError `invalid-input` for a post without id or date
 * @throws TypeError for an option that is unknown, wrong, or missing
 * @see seed 000 §3.1
 */
export function toConversationContext(
  issueInput: IssueInput,
  commentInputs: readonly CommentInput[],
  options: ConversationOptions,
): ConversationContext {
  checkConversationOptions(options);
  const issue = normalizeIssue(issueInput);
  const comments = normalizeComments(commentInputs);
  const { maxCommentCount: maxCount = defaultMaxCommentCount } = options;
  const newest = comments.slice(Math.max(0, comments.length - maxCount));
  const cleanText = toCleaner(options);
  const whole = toTexts(issue, newest, cleanText);
  const texts = toBudgets(options).reduce(fitConversation, whole);
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
  const { isCompletion = ({ body }: NormalizedComment) => hasKeyword(body) } = options;
  const cleanText = toCleaner(options);
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

/** The cleaner, which fails with a TypeError if its result is no text. Default: the text as it is written. */
function toCleaner({ cleanText = (text) => text }: Pick<ConversationOptions, 'cleanText'>) {
  return (text: string): string => {
    const clean = cleanText(text);
    checkValue('The result of cleanText', clean, cleanedText);
    return clean;
  };
}

const cleanedText: Expectation = {
  isMet: (value) => typeof value === 'string',
  text: 'a text, such as that of cleanText of @agent/text',
};

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
 * @throws TypeError for an option that is unknown, wrong, or missing
 * @see seed 000 §3.1
 */
export function createContextBuilder(reader: IssueReader, options: ConversationOptions): ContextBuilder {
  checkValue('The reader of createContextBuilder', reader, expectPort('getIssue', 'listComments'));
  checkConversationOptions(options);
  return {
    buildContext: async (issueNumber, call = {}) => {
      const issue = await reader.getIssue(issueNumber, call);
      const comments = await reader.listComments(issueNumber, call);
      return toConversationContext(issue, comments, options);
    },
  };
}
