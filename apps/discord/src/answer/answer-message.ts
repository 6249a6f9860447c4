import { BotError } from '../bot-error.ts';
import type { Clock } from '../clock.ts';
import { describeError } from '../log/describe-error.ts';
import { ensureThread } from '../place/ensure-thread.ts';
import type { Place } from '../place/place.ts';
import type { AnswerParts, EndSignals, Job } from './answer-parts.ts';
import { replyInPlace } from './reply-in-place.ts';

/**
 * Answers a message: finds the place, shows that it types, reads what was said, asks the model, posts. Whatever goes
 * wrong is logged, and told to people where they can be reached.
 *
 * @see seed 003 §5.3
 */
export async function answerMessage(job: Job, parts: AnswerParts, signals: EndSignals): Promise<void> {
  const { logger, slots } = parts;
  const ids = { messageId: job.message.id, threadId: job.message.channelId };
  try {
    signals.stopping.throwIfAborted();
    const place = await openPlace(job, parts);
    ids.threadId = place.id;
    const endTyping = keepTyping(place, parts, ids);
    try {
      const release = await slots.acquire(signals.stopping);
      await replyInPlace({ ...job, place }, parts, signals.ending).finally(release);
    } finally {
      endTyping();
    }
  } catch (error) {
    const calm = whyCalm(error);
    if (calm !== null) {
      logger.info(ids, calm);
      return;
    }
    logger.error({ ...ids, ...describeError(error) }, 'could not answer');
    await tellWhyNot({ ...job, error }, parts);
  }
}

/** Opens the place where a message is answered. @throws BotError `discord-permission` where nothing could be posted */
export async function openPlace({ message, around }: Job, { bot, logger }: AnswerParts): Promise<Place> {
  const place = await ensureThread(message, {
    places: around,
    botName: bot.name,
    onFailure: (error) =>
      logger.warn(
        { messageId: message.id, threadId: message.channelId, ...describeError(error) },
        'no thread for this message; answering with a reply',
      ),
  });
  if (place.mayPost()) return place;
  throw new BotError('discord-permission', 'the bot may not write here', { operation: 'post' });
}

function keepTyping(place: Place, { clock, logger }: AnswerParts, ids: object): () => void {
  return showTyping(place, {
    clock,
    onFailure: (error) => logger.debug({ ...ids, ...describeError(error) }, 'could not show typing'),
  });
}

/** Null where something went wrong. */
function whyCalm(error: unknown): string | null {
  if (!BotError.isInstance(error)) return null;
  if (error.code === 'withdrawn') return 'not answered, because the message was deleted';
  return error.code === 'stopped' ? 'not answered, because the bot is being stopped' : null;
}

/** Whoever asked in a place where the bot may not write hears of it in private. */
async function tellWhyNot(
  { message, around, error }: Job & { readonly error: unknown },
  { textsFor, logger }: AnswerParts,
): Promise<void> {
  const isRefused = BotError.isInstance(error) && error.code === 'discord-permission';
  if (!isRefused || message.where.kind === 'direct') return;
  try {
    await around.tellAuthor(textsFor(message).cannotPost(message.channelId));
  } catch (failure) {
    const ids = { messageId: message.id, threadId: message.channelId };
    logger.warn({ ...ids, ...describeError(failure) }, 'could not tell the author why');
  }
}

/** Discord shows typing for ten seconds. @see https://docs.discord.com/developers/resources/channel#trigger-typing-indicator */
const refreshMs = 8_500;

interface ShowTypingOptions {
  readonly clock: Clock;
  /** Hears of each time that it could not be shown. */
  readonly onFailure: (error: unknown) => void;
}

/** Shows that the bot types, until what this gives is called. */
function showTyping(place: Pick<Place, 'showTyping'>, options: ShowTypingOptions): () => void {
  const { clock, onFailure } = options;
  let isOver = false;
  let cancel = (): void => {};
  const show = (): void => {
    if (isOver) return;
    cancel = clock.after(refreshMs, show);
    place.showTyping().catch(onFailure);
  };
  show();
  return () => {
    isOver = true;
    cancel();
  };
}
