import type { ConversationContext } from './conversation.ts';
import { fitConversation } from './fit-conversation.ts';
import { ThreadContextError } from './thread-context-error.ts';

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
    'The limit is too small for the first message: the words around the conversation are larger. Raise it.',
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
