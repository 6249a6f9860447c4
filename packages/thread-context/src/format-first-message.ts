import type { Locale } from '@agent/text';
import type { ConversationContext, ConversationEntry } from './conversation.ts';
import { type FirstMessageTexts, firstMessageTextsEn, type ThreadNoun } from './first-message-texts.en.ts';
import { firstMessageTextsJa } from './first-message-texts.ja.ts';
import { type ContextBudgetOptions, cutContext, toBudgets } from './fit-conversation.ts';

/** The limits of a context are those of the whole message here, headings and envelopes included. */
export interface FirstMessageOptions extends ContextBudgetOptions {
  /** Language of the words around the conversation. Default `en`, also in place of one that is not known; `ja` gives the seed's texts to the letter. */
  readonly locale?: Locale | undefined;
  /** Name for the thread. Default `issue`. */
  readonly noun?: ThreadNoun | undefined;
  /** The page that people open; null to leave it out, which is the default. */
  readonly url?: string | null | undefined;
  /**
   * Takes what somebody wrote and gives back what the model may see, e.g. in an envelope. It gets the issue's title
   * and body as one text; the title does not stand in our heading then. Default: as written.
   */
  readonly prepareText?: ((text: string, entry: ConversationEntry) => string) | undefined;
  /** Tells whether what the author of this entry asks for may be done. Default: everybody's. */
  readonly mayInstruct?: ((entry: ConversationEntry) => boolean) | undefined;
  /** Tells whether the issue itself was written by the agent, as its own pull request. Default false. */
  readonly isOwnThread?: boolean | undefined;
  /** Account that gave the thread to the agent, without `@`, where that was made sure of. Default null: it is not known. */
  readonly handedOverBy?: string | null | undefined;
}

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
  const budgets = toBudgets(options);
  const format = (cut: ConversationContext) => formatWhole(cut, options);
  const isSmall = (text: string) => budgets.every(({ maxSize, measure }) => measure(text) <= maxSize);
  return cutContext(context, { format, isSmall });
}

function formatWhole(context: ConversationContext, options: FirstMessageOptions): string {
  const { locale = 'en', noun = 'issue' } = options;
  const texts = locale === 'ja' ? firstMessageTextsJa : firstMessageTextsEn;
  const latest = findLatestRequest(context, options);
  return [
    formatIssue(context, { ...options, noun, texts }),
    formatConversation(context, { ...options, texts, latest }),
    `${texts.task}\n\n${formatTask(context, { ...options, noun, texts, latest })}`,
  ].join('\n\n');
}

function formatIssue(
  context: ConversationContext,
  options: FirstMessageOptions & { readonly noun: ThreadNoun; readonly texts: FirstMessageTexts },
): string {
  const { issue } = context;
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
    formatText(prepareText ? `${title}\n\n${issue.description}` : issue.description, {
      ...options,
      entry: opening,
    }),
  ].join('\n\n');
}

function formatConversation(
  context: ConversationContext,
  options: FirstMessageOptions & { readonly texts: FirstMessageTexts; readonly latest: LatestRequest },
): string {
  const { texts, latest } = options;
  const { total, leftOut } = countComments(context);
  const comments = context.conversation.slice(1).map((entry, index) => {
    const isLatest = latest.place === 'entry' && latest.index === index + 1;
    const author = oneLine(entry.metadata.author);
    const heading = [
      `${texts.comment({ number: leftOut + index + 1, total })}: ${entry.role === 'assistant' ? texts.you(author) : `@${author}`}`,
      entry.metadata.created_at ?? '',
      isLatest ? `**${texts.latestMark}**` : '',
    ];
    return `${heading.filter((part) => part !== '').join(', ')}\n\n${formatText(entry.content, { ...options, entry })}`;
  });
  const isUnread = countLeftOut(context) === null;
  const count = isUnread ? texts.unknownComments : texts.count(total, leftOut);
  return [texts.conversation, count, ...comments].join('\n\n');
}

function formatTask(
  context: ConversationContext,
  options: FirstMessageOptions & {
    readonly noun: ThreadNoun;
    readonly texts: FirstMessageTexts;
    readonly latest: LatestRequest;
  },
): string {
  const { texts, noun, latest, mayInstruct = () => true, isOwnThread = false } = options;
  if (latest.place === 'left-out') return texts.latestIsLeftOut(noun);
  const author = oneLine(latest.entry.metadata.author);
  const by = options.handedOverBy == null ? null : oneLine(options.handedOverBy);
  if (latest.index === 0 && isOwnThread) return texts.latestIsOwn(noun, by);
  if (latest.index === 0) {
    return mayInstruct(latest.entry)
      ? texts.latestIsThread(noun, author)
      : texts.latestIsHandedOver(noun, { author, by });
  }
  return texts.latestIsComment(countComments(context).leftOut + latest.index, author);
}

function countComments(context: ConversationContext): { readonly total: number; readonly leftOut: number } {
  return { total: context.context_summary.total_comments, leftOut: countLeftOut(context) ?? 0 };
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

/** Place of the newest thing that somebody other than us said. */
export type LatestRequest =
  /** `index` into `conversation`; 0 is the issue itself. */
  | { readonly place: 'entry'; readonly index: number; readonly entry: ConversationEntry }
  /** Comments are missing and nobody else wrote one of those that were kept: it may be among the missing. */
  | { readonly place: 'left-out' };

interface LatestRequestOptions {
  /** Tells whether what the author of this entry asks for may be done. Default: everybody's. */
  readonly mayInstruct?: ((entry: ConversationEntry) => boolean) | undefined;
}

/**
 * Finds the request that a run has to answer: the newest comment by somebody else than us who may instruct us, or
 * the issue itself when there is none. The issue is a request whoever wrote it.
 */
export function findLatestRequest(
  context: ConversationContext,
  { mayInstruct = () => true }: LatestRequestOptions = {},
): LatestRequest {
  const index = context.conversation.findLastIndex(
    (entry, place) => entry.role === 'user' && (place === 0 || mayInstruct(entry)),
  );
  const entry = context.conversation[index];
  if (entry === undefined || (index === 0 && countLeftOut(context) !== 0)) return { place: 'left-out' };
  return { place: 'entry', index, entry };
}

/** Counts the comments of the thread that the context does not; null when the thread could not be read. */
function countLeftOut({ issue, conversation, context_summary }: ConversationContext): number | null {
  const isUnread = context_summary.truncated && issue.created_at === null;
  return isUnread ? null : context_summary.total_comments - (conversation.length - 1);
}
