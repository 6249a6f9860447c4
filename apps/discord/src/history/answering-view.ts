import type { ThreadMessage, ThreadReader } from '@agent/thread-context';
import { compareIds } from './compare-ids.ts';

export interface AnsweringViewOptions {
  /** The message that is to be answered. */
  readonly trigger: ThreadMessage;
  readonly botUserId: string;
}

/**
 * The history of a thread as the answer to one of its messages needs it: that message comes last, after what the bot
 * has said meanwhile, and what people wrote after it waits for its own turn. So messages that came faster than the
 * answers are answered one by one, as if each had waited for the answer before.
 *
 * @see decision D8
 */
export function toAnsweringView(reader: ThreadReader, options: AnsweringViewOptions): ThreadReader {
  let oldestSeen: string | null = null;
  return {
    fetchStarter: reader.fetchStarter,
    fetchPage: async ({ before, ...request }) => {
      const page = await reader.fetchPage({ ...request, before: before === null ? null : oldestSeen });
      oldestSeen = page.at(-1)?.id ?? oldestSeen;
      const shown = page.map((message) =>
        isLater(message, options) ? { ...message, isSystem: true } : message,
      );
      return before === null ? putTriggerLast(shown, options) : shown;
    },
  };
}

/** What people wrote after it. */
function isLater({ id, authorId }: ThreadMessage, { trigger, botUserId }: AnsweringViewOptions): boolean {
  return authorId !== botUserId && compareIds(id, trigger.id) > 0;
}

/**
 * The page is newest first, so that "last" is its beginning. So much may have been written meanwhile that the message
 * stands on a later page: there it comes again, as it reads by then.
 */
function putTriggerLast(
  page: readonly ThreadMessage[],
  { trigger }: AnsweringViewOptions,
): readonly ThreadMessage[] {
  const found = page.find(({ id }) => id === trigger.id) ?? trigger;
  return [found, ...page.filter(({ id }) => id !== trigger.id)];
}
