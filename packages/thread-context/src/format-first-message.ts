import { cutAtGrapheme, estimateTokens } from '@agent/text';
import { checkOptions, checkValue, expectNumber } from '@agent/text/options';
import type { ConversationContext, ConversationEntry } from './conversation.ts';
import { findLongest } from './find-longest.ts';
import { firstMessageTextsEn } from './first-message-texts.en.ts';
import { firstMessageTextsJa } from './first-message-texts.ja.ts';
import { fitComments, type ShownComment } from './fit-comments.ts';
import { budgetExpectations, type ContextBudgetOptions, cutContext, toBudgets } from './fit-conversation.ts';
import {
  budgetExpectation,
  type FirstMessageOptions,
  formatComment,
  formatConversation,
  formatIssue,
  formatOlder,
  formatTask,
  messageExpectations,
  type ShownIssue,
  type ShownParts,
  type ThreadBudget,
} from './format-thread.ts';
import { countComments, findLatestRequest, toMayInstruct } from './latest-request.ts';

/**
 * The first user message of a run: the issue, the conversation with its authors and dates, what was left out,
 * and which request is the latest. What people wrote stands behind `> ` on every line, so that no text of
 * theirs can pass for a heading of ours. Over a limit the oldest comments go, then the texts are cut.
 *
 * @example
 * formatFirstMessage(context, { locale: 'ja', noun: 'merge-request', maxContextTokens: 8_000 });
 *
 * @throws ThreadContextError where the limit is too small for the words around the conversation alone
 */
export function formatFirstMessage(context: ConversationContext, options: FirstMessageOptions = {}): string {
  checkOptions('FirstMessageOptions', options, { ...messageExpectations, ...budgetExpectations });
  const budgets = toBudgets(options);
  const format = (cut: ConversationContext) => formatWhole(cut, options, showAll(cut));
  const isSmall = (text: string) => budgets.every(({ maxSize, measure }) => measure(text) <= maxSize);
  return cutContext(context, { format, isSmall });
}

/** A first message, and what it shows of the comments. */
export interface ComposedFirstMessage {
  readonly text: string;
  readonly shown: readonly ShownComment<ConversationEntry>[];
  /** True if it shows the whole description of the issue. */
  readonly isIssueWhole: boolean;
}

/**
 * The same message for a thread of any length: the newest comments whole, older ones as a list of first lines, the rest
 * counted. The issue's own text can take half of the budget, and what the comments leave.
 *
 * @example
 * composeFirstMessage(context, { budget: { maxTokens: 4_000, readTool: 'read_comment' } }).text;
 */
export function composeFirstMessage(
  context: ConversationContext,
  given: Omit<FirstMessageOptions, keyof ContextBudgetOptions> & { readonly budget: ThreadBudget },
): ComposedFirstMessage {
  checkOptions('FirstMessageOptions', given, composedExpectations, ['budget']);
  checkValue('FirstMessageOptions.budget.maxTokens', given.budget.maxTokens, expectNumber(0));
  const { budget, ...options } = given;
  const mayInstruct = toMayInstruct(options);
  const { maxTokens, countTokens = estimateTokens, readTool } = budget;
  const { texts, noun } = toWording(options);
  const sizeOfIssue = (issue: ShownIssue) =>
    countTokens(formatIssue(context, { ...options, noun, texts, issue }));
  const { description } = context.issue;
  const whole = { description, note: '' };
  const size = sizeOfIssue(whole);
  const { number } = countComments(context).first;
  const fitted = fitComments(context.conversation.slice(1), {
    maxTokens: maxTokens - Math.min(size, Math.floor(maxTokens / 2)),
    textOf: ({ content }) => content,
    formatShown: (shown) =>
      `${formatComment(shown, { ...options, texts, context, isLatest: false, readTool })}\n\n`,
    formatOlder: (older) => `${formatOlder(older, { ...budget, texts, number })}\n\n`,
    isTrusted: (entry) => entry.role === 'user' && mayInstruct(entry),
    maxShown: budget.maxShown,
    countTokens,
  });
  const cut = (chars: number): ShownIssue => ({
    description: cutAtGrapheme(description, chars),
    note: texts.shortened({ id: 'thread', shown: chars, total: description.length, tool: readTool }),
  });
  const room = maxTokens - fitted.tokens;
  const issue =
    size <= room
      ? whole
      : cut(findLongest(description.length - 1, (chars) => sizeOfIssue(cut(chars)) <= room) ?? 0);
  const text = formatWhole(context, options, { issue, fitted, budget });
  return { text, shown: fitted.shown, isIssueWhole: issue === whole };
}

const composedExpectations = { ...messageExpectations, budget: budgetExpectation };

function showAll({ issue: { description }, conversation }: ConversationContext): ShownParts {
  const shown = conversation
    .slice(1)
    .map((item, index) => ({ item, index, text: item.content, isShortened: false }));
  return {
    issue: { description, note: '' },
    fitted: { shown, listed: [], counted: null },
    budget: {},
  };
}

function toWording({ locale = 'en', noun = 'issue' }: Pick<FirstMessageOptions, 'locale' | 'noun'>) {
  return { noun, texts: locale === 'ja' ? firstMessageTextsJa : firstMessageTextsEn };
}

function formatWhole(context: ConversationContext, options: FirstMessageOptions, parts: ShownParts): string {
  const { noun, texts } = toWording(options);
  const latest = findLatestRequest(context, { mayInstruct: options.mayInstruct });
  return [
    formatIssue(context, { ...options, noun, texts, issue: parts.issue }),
    formatConversation(context, { ...options, ...parts, texts, latest }),
    `${texts.task}\n\n${formatTask(context, { ...options, noun, texts, latest })}`,
  ].join('\n\n');
}
