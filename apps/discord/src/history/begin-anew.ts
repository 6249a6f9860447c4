import { stripMention, type ThreadMessage, type ThreadReader } from '@agent/thread-context';

/** Tells whether a text is `/new` and nothing else, a mention of the bot aside. */
export function isNewCommand(content: string, botUserId: string): boolean {
  return stripMention(content, botUserId).trim() === '/new';
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
    hasBegun ||= content.includes(beginning);
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

const marker = '\u200b\u2060\u200b\u2060\u2060\u200b';

/** Ends with the mark of a notice, so that it is one. */
const beginning = `\u2060\u2060\u200b\u200b${marker}`;

/** Ends with the mark of a notice, too. */
const away = `\u2060\u200b\u200b\u2060${marker}`;

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * Marks what the bot says on its own account, e.g. that the model did not answer. Nobody sees the mark, it survives
 * a restart because it stands in the text, and before the last character because Discord trims the ends.
 *
 * @see decision D13
 */
export function markNotice(text: string): string {
  return insert(text, marker);
}

/** Marks the notice with which a conversation begins anew. */
export function markBeginning(text: string): string {
  return insert(text, beginning);
}

/** Marks the notice that a message and those before it were not answered. */
export function markAway(text: string): string {
  return insert(text, away);
}

/** Tells whether a message of the bot is such a notice. */
export function isAwayNotice(content: string): boolean {
  return content.includes(away);
}

function insert(text: string, mark: string): string {
  const last = [...segmenter.segment(text)].at(-1)?.index ?? 0;
  return text.slice(0, last) + mark + text.slice(last);
}

/** Tells whether a message of the bot is such a notice. */
export function isNotice(content: string): boolean {
  return content.includes(marker);
}

/** An answer must not look like a notice, or it would be missing from the conversation. */
export function withoutMarker(text: string): string {
  return text.replaceAll(marker, '');
}
