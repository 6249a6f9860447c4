import { type FitTextOptions, fitText } from '@agent/text';

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
