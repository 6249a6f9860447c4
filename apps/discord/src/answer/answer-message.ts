import { createHash } from 'node:crypto';
import type { Logger } from '@agent/text';
import { BotError, type BotErrorCode, describeError } from '../bot-error.ts';
import type { Clock } from '../clock.ts';
import { isNewCommand, markBeginning, markNotice, withoutMarker } from '../history/begin-anew.ts';
import type { ReadConversation } from '../history/read-conversation.ts';
import { type IncomingMessage, isVisible } from '../message/incoming-message.ts';
import type { Reply, ReplyModel } from '../model/reply-model.ts';
import { ensureThread, type Place, type Surroundings } from '../place/place.ts';
import { postReply } from '../place/split-reply.ts';
import type { ModelFailure, Texts } from '../texts/texts.en.ts';
import { createLiveReply } from './live-reply.ts';

/** Parts that answering needs. */
export interface AnswerParts {
  /** The account that answers. */
  readonly bot: { readonly id: string; readonly name: string };
  readonly model: ReplyModel;
  readonly readConversation: ReadConversation;
  /** Number of answers that are worked on at once. */
  readonly slots: Semaphore;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Chooses the texts for the author of a message. */
  readonly textsFor: (message: IncomingMessage) => Texts;
  /** Tells whether answers are shown as they grow. */
  readonly stream: boolean;
  /** Tells whether lengths and hashes of texts are logged. */
  readonly debug: boolean;
}

/** A message that is to be answered. */
export interface Job {
  readonly message: IncomingMessage;
  readonly around: Surroundings;
}

/** Two ways in which an answer ends early. */
interface EndSignals {
  /** Nothing new begins, or the message was deleted before its turn. */
  readonly stopping: AbortSignal;
  /** Ends answers that are under way. */
  readonly ending: AbortSignal;
}

/** Tells a log which message it is about, and what went wrong. */
export function aboutMessage(
  { id, channelId }: Pick<IncomingMessage, 'id' | 'channelId'>,
  error: unknown = null,
): object {
  return { messageId: id, threadId: channelId, ...(error === null ? {} : describeError(error)) };
}

/** Ends that are no failures. */
const calmEnds: Partial<Record<BotErrorCode, string>> = {
  withdrawn: 'not answered, because the message was deleted',
  stopped: 'not answered, because the bot is being stopped',
};

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
    const endTyping = showTyping(place, parts.clock, (error) =>
      logger.debug({ ...ids, ...describeError(error) }, 'could not show typing'),
    );
    try {
      const release = await slots.acquire(signals.stopping);
      await replyInPlace({ ...job, place }, parts, signals.ending).finally(release);
    } finally {
      endTyping();
    }
  } catch (error) {
    const calm = BotError.isInstance(error) ? calmEnds[error.code] : undefined;
    if (calm !== undefined) return logger.info(ids, calm);
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
      logger.warn(aboutMessage(message, error), 'no thread for this message; answering with a reply'),
  });
  if (place.mayPost()) return place;
  throw new BotError('discord-permission', 'the bot may not write here', { operation: 'post' });
}

/** Whoever asked in a place where the bot may not write hears of it in private. */
async function tellWhyNot(
  { message, around, error }: Job & { readonly error: unknown },
  { textsFor, logger }: AnswerParts,
): Promise<void> {
  const isRefused = BotError.isInstance(error) && error.code === 'discord-permission';
  if (!isRefused || message.where.kind === 'direct') return;
  await around
    .tellAuthor(textsFor(message).cannotPost(message.channelId))
    .catch((failure: unknown) =>
      logger.warn(aboutMessage(message, failure), 'could not tell the author why'),
    );
}

/** Discord shows typing for ten seconds. @see https://docs.discord.com/developers/resources/channel#trigger-typing-indicator */
const refreshMs = 8_500;

/** Shows that the bot types, until what this gives is called. */
function showTyping(place: Place, clock: Clock, onFailure: (error: unknown) => void): () => void {
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

/**
 * Reads the conversation, asks the model once, and posts its answer, or why there is none.
 *
 * @throws BotError when nothing can be posted; the signal's reason when the bot ends meanwhile
 */
async function replyInPlace(
  { message, place }: Job & { readonly place: Place },
  parts: AnswerParts,
  signal: AbortSignal,
): Promise<void> {
  const { clock, logger, model, debug } = parts;
  const ids = { messageId: message.id, threadId: place.id };
  const begun = clock.now();
  const texts = parts.textsFor(message);
  if (isNewCommand(message.content, parts.bot.id)) {
    await place.send(markBeginning(texts.begunAnew));
    return;
  }
  const { turns, transcript, error } = await parts.readConversation(place, { message, signal });
  if (error !== null) logger.warn({ ...ids, ...describeError(error) }, 'could not read the whole history');
  // A mention with no text below the last answer: there is nothing to say yet.
  if (turns.at(-1)?.role !== 'user') {
    await place.send(markNotice(texts.askForQuestion));
    return;
  }
  if (debug) logger.debug({ ...ids, ...describeText(transcript) }, 'asking the model');
  const live = parts.stream ? createLiveReply(place, { clock, signal }) : null;
  const onText = live && ((textSoFar: string) => live.show(withoutMarker(textSoFar)));
  let reply: Reply;
  try {
    reply = await model.reply({ turns, transcript }, { signal, onText });
  } catch (failure) {
    signal.throwIfAborted();
    logger.error({ ...ids, ...describeError(failure) }, 'the model did not answer');
    await live?.leave();
    await place.send(markNotice(texts.fallback[failureOf(failure)]));
    return;
  }
  const text = withoutMarker(reply.text).trim();
  if (debug) logger.debug({ ...ids, ...describeText(text) }, 'the model answered');
  if (!isVisible(text)) await place.send(markNotice(texts.emptyAnswer));
  else {
    await (live === null ? postReply(place, text) : live.finish(text));
    if (!reply.complete) await place.send(markNotice(texts.cutOff));
  }
  logger.info({ ...ids, durationMs: clock.now() - begun, turns: turns.length }, 'answered');
}

function failureOf(error: unknown): ModelFailure {
  const code = BotError.isInstance(error) ? error.code : 'model-failed';
  return code.startsWith('model-') ? (code as ModelFailure) : 'model-failed';
}

/** Describes a text for a log: how long it is, and whether it is the same as another. @see decision D16 */
export function describeText(text: string): { readonly chars: number; readonly sha256: string } {
  return { chars: text.length, sha256: createHash('sha256').update(text).digest('hex').slice(0, 12) };
}

/** A limit on how many things happen at once; who comes first is served first. */
interface Semaphore {
  /**
   * Waits for a free slot. Gives what frees it again.
   *
   * @throws the signal's reason when it aborts first
   */
  readonly acquire: (signal: AbortSignal) => Promise<() => void>;
}

export function createSemaphore(limit: number): Semaphore {
  let free = limit;
  const waiting = new Set<() => void>();
  const hold = (): (() => void) => {
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const [next] = waiting;
      if (next === undefined) free += 1;
      else next();
    };
  };
  return {
    acquire: async (signal) => {
      signal.throwIfAborted();
      if (free > 0) free -= 1;
      else {
        await new Promise<void>((resolve, reject) => {
          const giveUp = (): void => leave(() => reject(signal.reason));
          const enter = (): void => leave(resolve);
          const leave = (settle: () => void): void => {
            waiting.delete(enter);
            signal.removeEventListener('abort', giveUp);
            settle();
          };
          waiting.add(enter);
          signal.addEventListener('abort', giveUp);
        });
      }
      return hold();
    },
  };
}
