import { checkOptions, type Expectation, expected } from '@agent/text/options';
import { stripMention, type ThreadMessage, type ThreadReader } from '../thread/to-turns.ts';
import { compareIds } from './find-open.ts';
import { isBeginning } from './hidden-marks.ts';

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
  options: Pick<AnsweringViewOptions, 'botUserId'>,
): ThreadReader {
  checkOptions('The options of sinceLastNew', options, { botUserId: expected.text }, ['botUserId']);
  const { botUserId } = options;
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

/** Message and account of an answer. */
export interface AnsweringViewOptions {
  /** The message that is to be answered. */
  readonly trigger: ThreadMessage;
  readonly botUserId: string;
}

const expectations = {
  trigger: expected.object,
  botUserId: expected.text,
} as const satisfies Record<keyof AnsweringViewOptions, Expectation>;

/**
 * The history of a thread as the answer to one of its messages needs it: that message comes last, after what the bot
 * has said meanwhile, and what people wrote after it waits for its own turn. So messages that came faster than the
 * answers are answered one by one, as if each had waited for the answer before.
 *
 * @see decision D8
 */
export function toAnsweringView(reader: ThreadReader, options: AnsweringViewOptions): ThreadReader {
  checkOptions('AnsweringViewOptions', options, expectations, ['trigger', 'botUserId']);
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

/** Finds what people wrote after it. */
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
