import { estimateTokens, type FitTextOptions, fitText } from '@agent/text';
import { type Expectation, expected, expectNumber } from '@agent/text/options';
import type { ConversationContext } from './conversation.ts';
import { ThreadContextError } from './normalize.ts';

/** The texts of a conversation; what stands around them is not counted. */
export interface ConversationTexts {
  /** Text before the issue's body. */
  readonly heading: string;
  readonly body: string;
  /** Oldest first. */
  readonly comments: readonly string[];
}

/** The part of the budget that an issue keeps, if it needs it, however long the newest comment is. */
const issueShare = 1 / 2;

/**
 * Cuts a conversation so that its texts together are not larger than `maxSize`. The newest comments win: they
 * are kept whole as long as they fit, from the newest on. Only the newest of all is shortened, never left out;
 * then the issue gets what is left, but at least half, if it needs that much.
 */
export function fitConversation(texts: ConversationTexts, options: FitTextOptions): ConversationTexts {
  const { heading, body, comments } = texts;
  const { maxSize, measure } = options;
  const reserved = Math.min(measure(heading + body), Math.floor(maxSize * issueShare));
  let room = maxSize - reserved;
  const kept: string[] = [];
  for (const comment of comments.toReversed()) {
    const shown = kept.length === 0 ? fitText(comment, { maxSize: room, measure }) : comment;
    const size = measure(shown);
    if (kept.length > 0 && size > room) break;
    kept.unshift(shown);
    room -= size;
    if (shown !== comment) break;
  }
  return { ...fitIssue({ heading, body }, { maxSize: room + reserved, measure }), comments: kept };
}

function fitIssue(
  { heading, body }: Omit<ConversationTexts, 'comments'>,
  { maxSize, measure }: FitTextOptions,
): Omit<ConversationTexts, 'comments'> {
  if (measure(heading) > maxSize) return { heading: fitText(heading, { maxSize, measure }), body: '' };
  return { heading, body: fitText(body, { maxSize, measure: (text) => measure(heading + text) }) };
}

/** Limits on how large the texts of a conversation may be together; both limits hold where both are given. */
export interface ContextBudgetOptions {
  /** Characters (UTF-16 units) of all contents together, inclusive. Default: no limit. */
  readonly maxContextChars?: number | undefined;
  /** Tokens of all contents together, inclusive, each content counted by itself. Default: no limit. */
  readonly maxContextTokens?: number | undefined;
  /** Counts the tokens of a text for `maxContextTokens`. Default: an estimate that knows no vocabulary. */
  readonly countTokens?: ((text: string) => number) | undefined;
}

/** Conditions of the limits. */
export const budgetExpectations = {
  maxContextChars: expectNumber(1, { isWhole: true }),
  maxContextTokens: expectNumber(1, { isWhole: true }),
  countTokens: expected.function,
} as const satisfies Record<keyof ContextBudgetOptions, Expectation>;

/** Limits of options that were checked, each with its measure. */
export function toBudgets(options: ContextBudgetOptions): FitTextOptions[] {
  const { maxContextChars, maxContextTokens, countTokens = estimateTokens } = options;
  const limits = [
    { maxSize: maxContextChars, measure: (text: string) => text.length },
    { maxSize: maxContextTokens, measure: countTokens },
  ];
  return limits.flatMap(({ maxSize, measure }) => (maxSize === undefined ? [] : [{ maxSize, measure }]));
}

interface CutOptions {
  readonly format: (context: ConversationContext) => string;
  readonly isSmall: (text: string) => boolean;
}

/** The longest text of a context that is small enough: whole, with fewer comments, then with cut texts. */
export function cutContext(context: ConversationContext, { format, isSmall }: CutOptions): string {
  const whole = format(context);
  if (isSmall(whole)) return whole;
  const fits = (cut: ConversationContext) => isSmall(format(cut));
  const comments = findMost(context.conversation.length - 1, (count) => fits(withNewest(context, count)));
  if (comments !== null && comments > 0) return format(withNewest(context, comments));
  const newest = withNewest(context, 1);
  const chars = findMost(countChars(newest), (most) => fits(withChars(newest, most)));
  if (chars !== null) return format(withChars(newest, chars));
  throw new ThreadContextError(
    'invalid-input',
    'The limit is too small for the first message: the fixed text around the conversation alone is larger. Raise it.',
  );
}

function withNewest(context: ConversationContext, count: number): ConversationContext {
  const [opening, ...comments] = context.conversation;
  const kept = count === 0 ? [] : comments.slice(-count);
  return {
    ...context,
    conversation: opening === undefined ? [] : [opening, ...kept],
    context_summary: {
      ...context.context_summary,
      truncated: true,
      oldest_included: kept[0]?.metadata.created_at ?? null,
    },
  };
}

function countChars({ issue, conversation }: ConversationContext): number {
  return issue.description.length + (conversation[1]?.content.length ?? 0);
}

function withChars(context: ConversationContext, maxSize: number): ConversationContext {
  const [opening, newest] = context.conversation;
  const texts = {
    heading: '',
    body: context.issue.description,
    comments: newest === undefined ? [] : [newest.content],
  };
  const { body, comments } = fitConversation(texts, { maxSize, measure: (text) => text.length });
  const shown = newest === undefined ? [] : [{ ...newest, content: comments[0] ?? '' }];
  return {
    ...context,
    issue: { ...context.issue, description: body },
    conversation: opening === undefined ? [] : [opening, ...shown],
  };
}

/** The largest number up to `most` that will do; null when 0 does not. */
function findMost(most: number, isEnough: (value: number) => boolean): number | null {
  if (!isEnough(0)) return null;
  let [low, high] = [0, most];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (isEnough(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
