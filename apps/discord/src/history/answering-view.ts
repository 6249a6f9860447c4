import type { ThreadMessage, ThreadReader } from '@agent/thread-context';
import { compareIds } from './compare-ids.ts';

export interface AnsweringViewOptions {
  /** The message that is to be answered. */
  readonly triggerId: string;
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
      return putTriggerLast(page, options);
    },
  };
}

/** The page is newest first, so that "last" is its beginning. */
function putTriggerLast(
  page: readonly ThreadMessage[],
  { triggerId, botUserId }: AnsweringViewOptions,
): readonly ThreadMessage[] {
  const trigger = page.filter(({ id }) => id === triggerId);
  const others = page.filter(({ id }) => id !== triggerId);
  const later = (message: ThreadMessage): boolean =>
    message.authorId !== botUserId && compareIds(message.id, triggerId) > 0;
  return [
    ...trigger,
    ...others.map((message) => (later(message) ? { ...message, isSystem: true } : message)),
  ];
}
