import type { ThreadMessage, ThreadReader } from '@agent/thread-context';
import { isBeginning } from './notice-marker.ts';

/** Whether a text is `/new` and nothing else, a mention of the bot aside. */
export function isNewCommand(content: string, botUserId: string): boolean {
  return content.replaceAll(`<@${botUserId}>`, '').replaceAll(`<@!${botUserId}>`, '').trim() === '/new';
}

/**
 * The history since the last `/new`. What people wrote before it is not read. Answers that were under way then came
 * after it, but before the bot said that it begins anew: those are left out too.
 */
export function sinceLastNew(
  reader: ThreadReader,
  { botUserId }: { readonly botUserId: string },
): ThreadReader {
  let isOver = false;
  let hasBegun = false;
  const isCommand = ({ authorIsBot, isSystem, content }: ThreadMessage): boolean =>
    !authorIsBot && !isSystem && isNewCommand(content, botUserId);
  const isOld = ({ authorId, content }: ThreadMessage): boolean => {
    if (authorId !== botUserId) return false;
    hasBegun ||= isBeginning(content);
    return hasBegun;
  };
  return {
    fetchPage: async (request) => {
      if (isOver) return [];
      const page = await reader.fetchPage(request);
      const end = page.findIndex(isCommand);
      isOver = end !== -1;
      const shown = isOver ? page.slice(0, end) : page;
      return shown.map((message) => (isOld(message) ? { ...message, isSystem: true } : message));
    },
    fetchStarter: async (request) => {
      if (isOver) return null;
      const starter = await reader.fetchStarter(request);
      return starter === null || isCommand(starter) ? null : starter;
    },
  };
}
