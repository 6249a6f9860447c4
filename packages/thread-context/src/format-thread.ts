import type { Locale } from '@agent/text';
import {
  type Expectation,
  expected,
  expectNullable,
  expectNumber,
  expectOneOf,
  expectOptions,
} from '@agent/text/options';
import type { ConversationContext, ConversationEntry } from './conversation.ts';
import type { FirstMessageTexts, ThreadNoun } from './first-message-texts.en.ts';
import type { FitCommentsOptions, FittedComments, OlderComments, ShownComment } from './fit-comments.ts';
import type { ContextBudgetOptions } from './fit-conversation.ts';
import { countComments, countLeftOut, type LatestRequest } from './latest-request.ts';

/** The limits of a context are those of the whole message here, headings and envelopes included. */
export interface FirstMessageOptions extends ContextBudgetOptions {
  /** Language of the words around the conversation. Default `en`; `ja` gives the seed's texts to the letter. */
  readonly locale?: Locale | undefined;
  /** Name for the thread. Default `issue`. */
  readonly noun?: ThreadNoun | undefined;
  /** The page that people open; null to leave it out, which is the default. */
  readonly url?: string | null | undefined;
  /**
   * Takes the text of a user and returns what the model can see, e.g. in an envelope. It gets the issue's title
   * and body as one text; the title does not stand in our heading then. Default: as written.
   */
  readonly prepareText?: ((text: string, entry: ConversationEntry) => string) | undefined;
  /** Tells whether the author of this entry may instruct the agent. Default: not known, with a warning; the message then tells the model to decide. */
  readonly mayInstruct?: ((entry: ConversationEntry) => boolean) | undefined;
  /** Tells whether the issue itself was written by the agent, as its own pull request. Default false. */
  readonly isOwnThread?: boolean | undefined;
  /** Account that gave the thread to the agent, without `@`, where that was made sure of. Default null: it is not known. */
  readonly handedOverBy?: string | null | undefined;
}

/** Conditions of the options but for those of a budget. */
export const messageExpectations = {
  locale: expectOneOf('en', 'ja'),
  noun: expectOneOf('issue', 'pull-request', 'merge-request'),
  url: expectNullable({ isMet: (value) => typeof value === 'string', text: 'a text' }),
  prepareText: expected.function,
  mayInstruct: expected.function,
  isOwnThread: expected.flag,
  handedOverBy: expectNullable(expected.text),
} as const satisfies Record<Exclude<keyof FirstMessageOptions, keyof ContextBudgetOptions>, Expectation>;

/** Budget of a thread in a first message. */
export interface ThreadBudget
  extends Pick<FitCommentsOptions<ConversationEntry>, 'maxTokens' | 'maxShown' | 'countTokens'> {
  /** Name of the tool that reads what is not shown. Default: no tool. */
  readonly readTool?: string | undefined;
  /** Prepares the list of first lines, which are texts of several authors. Default: as it is. */
  readonly prepareList?: ((list: string) => string) | undefined;
  /** Text for the list instead of a comment's first line; null for the line. Default: always the line. */
  readonly firstLineOf?: ((entry: ConversationEntry) => string | null) | undefined;
}

/** Condition of a budget. */
export const budgetExpectation = expectOptions({
  maxTokens: expectNumber(0),
  maxShown: expectNumber(0, { isWhole: true }),
  countTokens: expected.function,
  readTool: expected.text,
  prepareList: expected.function,
  firstLineOf: expected.function,
} satisfies Record<keyof ThreadBudget, Expectation>);

/** The issue's text as it is shown, and a note below it if it is shortened. */
export interface ShownIssue {
  readonly description: string;
  readonly note: string;
}

/** Part of a context that a message shows. */
export interface ShownParts {
  readonly issue: ShownIssue;
  readonly fitted: Pick<FittedComments<ConversationEntry>, 'shown' | 'listed' | 'counted'>;
  readonly budget: Pick<ThreadBudget, 'readTool' | 'prepareList' | 'firstLineOf'>;
}

export function formatIssue(
  context: ConversationContext,
  options: FirstMessageOptions & {
    readonly noun: ThreadNoun;
    readonly texts: FirstMessageTexts;
    readonly issue: ShownIssue;
  },
): string {
  const { issue } = context;
  const { description, note } = options.issue;
  const { texts, noun, prepareText } = options;
  const title = oneLine(issue.title);
  const opening = context.conversation[0];
  const facts = [
    options.url ?? '',
    opening === undefined ? '' : texts.openedBy(oneLine(opening.metadata.author), issue.created_at),
    issue.labels.length === 0 ? '' : texts.labels(issue.labels.map(oneLine)),
  ];
  return [
    texts.title(noun, issue.number, prepareText ? null : title),
    facts
      .filter((fact) => fact !== '')
      .map((fact) => `- ${fact}`)
      .join('\n'),
    formatText(prepareText ? `${title}\n\n${description}` : description, { ...options, entry: opening }),
    ...(note === '' ? [] : [note]),
  ].join('\n\n');
}

export function formatConversation(
  context: ConversationContext,
  options: FirstMessageOptions &
    ShownParts & { readonly texts: FirstMessageTexts; readonly latest: LatestRequest },
): string {
  const { texts, latest, fitted, budget } = options;
  const { total, leftOut, first } = countComments(context);
  const isLatest = (index: number) => latest.place === 'entry' && latest.index === index + 1;
  const comments = fitted.shown.map((shown) =>
    formatComment(shown, {
      ...{ ...options, texts, context },
      ...{ isLatest: isLatest(shown.index), readTool: budget.readTool },
    }),
  );
  if (countLeftOut(context) === null)
    return [texts.conversation, texts.unknownComments, ...comments].join('\n\n');
  const older = formatOlder(fitted, { ...budget, texts, number: first.number });
  const count = older === '' ? texts.count(total, leftOut) : texts.shownOf({ total, shown: comments.length });
  return [texts.conversation, count, ...(older === '' ? [] : [older]), ...comments].join('\n\n');
}

interface CommentFormat extends FirstMessageOptions {
  readonly texts: FirstMessageTexts;
  readonly context: ConversationContext;
  readonly isLatest: boolean;
  readonly readTool?: string | undefined;
}

export function formatComment(
  { item: entry, index, text, isShortened }: ShownComment<ConversationEntry>,
  { context, isLatest, readTool, ...options }: CommentFormat,
): string {
  const { texts } = options;
  const { total, first } = countComments(context);
  const author = oneLine(entry.metadata.author);
  const heading = [
    `${texts.comment({ number: first.number + index, total })}: ${entry.role === 'assistant' ? texts.you(author) : `@${author}`}`,
    entry.metadata.created_at ?? '',
    isLatest ? `**${texts.latestMark}**` : '',
  ];
  const [shown, length] = [text.length, entry.content.length];
  const note = texts.shortened({ id: String(entry.metadata.id), shown, total: length, tool: readTool });
  return [
    heading.filter((part) => part !== '').join(', '),
    formatText(text, { ...options, entry }),
    ...(isShortened ? [note] : []),
  ].join('\n\n');
}

/** The list of comments that are not shown; empty if all are. `number` is that of the first comment of the context. */
export function formatOlder(
  { listed, counted }: OlderComments<ConversationEntry>,
  {
    texts,
    number,
    readTool,
    prepareList = (list) => list,
    firstLineOf = () => null,
  }: ShownParts['budget'] & {
    readonly texts: FirstMessageTexts;
    readonly number: number;
  },
): string {
  const before = number - 1;
  const count = (counted?.count ?? 0) + before;
  const lines = listed.map(({ item, index, firstLine }) =>
    texts.listed({
      number: number + index,
      id: String(item.metadata.id),
      author: oneLine(item.metadata.author),
      date: item.metadata.created_at,
      firstLine: firstLineOf(item) ?? firstLine,
    }),
  );
  if (lines.length + (counted?.count ?? 0) === 0) return '';
  const range = {
    count,
    first: before > 0 ? 1 : number + (counted?.first ?? 0),
    last: number + (counted?.last ?? -1),
  };
  const list = prepareList(lines.join('\n'))
    .split('\n')
    .map((line) => `> ${line}`);
  return [
    texts.older,
    ...(count === 0 ? [] : [texts.counted({ ...range, tool: readTool })]),
    ...(lines.length === 0 ? [] : [texts.firstLines(readTool), list.join('\n')]),
  ].join('\n\n');
}

export function formatTask(
  context: ConversationContext,
  options: FirstMessageOptions & {
    readonly noun: ThreadNoun;
    readonly texts: FirstMessageTexts;
    readonly latest: LatestRequest;
  },
): string {
  const { texts, noun, latest, mayInstruct, isOwnThread = false } = options;
  if (latest.place === 'left-out') return texts.latestIsLeftOut(noun);
  const author = oneLine(latest.entry.metadata.author);
  const by = options.handedOverBy == null ? null : oneLine(options.handedOverBy);
  if (latest.index === 0 && isOwnThread) return texts.latestIsOwn(noun, by);
  const number = countComments(context).leftOut + latest.index;
  if (mayInstruct === undefined)
    return latest.index === 0
      ? texts.latestThreadIsUnknown(noun, author)
      : texts.latestCommentIsUnknown(number, author);
  if (latest.index === 0) {
    return mayInstruct(latest.entry)
      ? texts.latestIsThread(noun, author)
      : texts.latestIsHandedOver(noun, { author, by });
  }
  return texts.latestIsComment(number, author);
}

function formatText(
  text: string,
  options: FirstMessageOptions & {
    readonly texts: FirstMessageTexts;
    readonly entry: ConversationEntry | undefined;
  },
): string {
  const { entry, prepareText, texts } = options;
  const prepared = entry === undefined || prepareText === undefined ? text : prepareText(text, entry);
  const lines =
    prepared.trim() === ''
      ? [texts.emptyText]
      : prepared.trimEnd().split(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/);
  return lines.map((line) => (line === '' ? '>' : `> ${line}`)).join('\n');
}

/** Titles and names stand inside lines of ours and must not begin one of their own. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
