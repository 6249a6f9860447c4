import { ModelError, type ModelErrorCode } from '@agent/runner/reply';
import type { Logger } from '@agent/text';
import {
  type AttachedFiles,
  isNewCommand,
  markBeginning,
  markNotice,
  type StandingPart,
} from '@agent/thread-context/chat';
import { BotError, type BotErrorCode, describeError } from '../bot-error.ts';
import { type IncomingMessage, isVisible } from '../message/incoming-message.ts';
import { ensureThread, type Place, type Surroundings } from '../place/place.ts';
import type { Texts } from '../texts/texts.en.ts';
import { type Clock, isTransient, type RetryOptions, retryTransient } from '../waits.ts';
import { type AskOptions, askModel, describeText, withoutMarks } from './ask-model.ts';
import { createOutgoingAnswer, type OutgoingAnswer, type OutgoingAnswerOptions } from './outgoing-answer.ts';

export interface AnswerParts
  extends Pick<AskOptions, 'model' | 'names' | 'readConversation' | 'slots' | 'stream' | 'debug' | 'logger'> {
  /** The account that answers. */
  readonly bot: { readonly id: string; readonly name: string };
  /** Tells the answers of this process from those of others of the account. */
  readonly own: Pick<OutgoingAnswerOptions, 'key' | 'leaseMs'>;
  readonly clock: Clock;
  readonly files: Pick<AttachedFiles, 'read'>;
  /** Chooses the texts for the author of a message. */
  readonly textsFor: (message: IncomingMessage) => Texts;
}

/** A message that is to be answered. */
export interface Job {
  readonly message: IncomingMessage;
  readonly around: Surroundings;
}

/** A message that was taken, until its answer stands. */
export interface TakenMessage extends Job {
  /** As it reads by now. */
  message: IncomingMessage;
  /** Parts of an answer that an earlier process left unfinished. */
  readonly standing: readonly StandingPart[];
  /** Aborts when it was deleted, or another process of the account answers. */
  readonly withdrawn: AbortSignal;
  /** Aborts when it is edited; each text has its own. */
  revision: AbortController;
  /** Null before there is a place for it. */
  answer: OutgoingAnswer | null;
}

/** Two ways in which the bot ends. */
interface EndSignals {
  /** Nothing new begins. */
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
  withdrawn: 'skipped message: deleted',
  answered: 'skipped message: answered by another process',
  stopped: 'skipped message: bot is stopping',
};

/**
 * Answers a message: finds the place, shows that it types, reads what was said, asks the model, posts; anew when the message is
 * edited before its answer stands. Whatever goes wrong is logged, and told to people where they can be reached.
 *
 * @returns `open` when nobody was told anything; `left` when another process has begun to answer
 * @see seed 003 §5.3
 */
export async function answerMessage(
  taken: TakenMessage,
  parts: AnswerParts,
  { stopping, ending }: EndSignals,
): Promise<'settled' | 'left' | 'open'> {
  const { logger } = parts;
  const ids = { messageId: taken.message.id, threadId: taken.message.channelId };
  try {
    stopping.throwIfAborted();
    taken.withdrawn.throwIfAborted();
    const retry = { clock: parts.clock, signal: ending, onRetry: logRetry(logger, ids) };
    const place = await openPlace(taken, parts, retry);
    ids.threadId = place.id;
    const answer = createOutgoingAnswer(place, { ...retry, ...parts.own, standing: taken.standing });
    taken.answer = answer;
    await answer.claim();
    const endTyping = showTyping(place, parts.clock, (error) =>
      logger.debug({ ...ids, ...describeError(error) }, 'failed to show typing indicator'),
    );
    try {
      await answerLatest(taken, { ...parts, place, answer, stopping }, ending);
    } finally {
      endTyping();
    }
    return 'settled';
  } catch (error) {
    const calm = BotError.isInstance(error) ? calmEnds[error.code] : undefined;
    if (calm === undefined) {
      logger.error({ ...ids, ...describeError(error) }, 'failed to answer message');
      return (await tellWhyNot(taken, parts, error)) ? 'settled' : 'open';
    }
    logger.info(ids, calm);
    return BotError.isInstance(error) && error.code === 'answered' ? 'left' : 'settled';
  }
}

/** Answers the message as it reads by then, and again when it is edited meanwhile. */
async function answerLatest(taken: TakenMessage, room: AnswerRoom, ending: AbortSignal): Promise<void> {
  const ids = aboutMessage(taken.message);
  for (;;) {
    taken.revision = new AbortController();
    const { signal: revised } = taken.revision;
    const signal = AbortSignal.any([ending, taken.withdrawn, revised, room.answer.broken]);
    try {
      await replyInPlace(taken.message, room, signal);
    } catch (error) {
      if (!revised.aborted || ending.aborted) throw error;
    }
    if (!revised.aborted) return;
    room.logger.info(ids, 'restarting answer: message was edited');
  }
}

function logRetry(logger: Logger, ids: object): RetryOptions['onRetry'] {
  return (error, pauseMs) =>
    logger.warn({ ...ids, ...describeError(error), pauseMs }, 'retrying Discord request');
}

/** Opens the place where a message is answered. @throws BotError `discord-permission` where nothing could be posted */
export async function openPlace(
  { message, around }: Job,
  { bot, logger }: Pick<AnswerParts, 'bot' | 'logger'>,
  retry: RetryOptions,
): Promise<Place> {
  const place = await ensureThread(message, {
    places: {
      here: around.here,
      startThread: (name) => retryTransient(() => around.startThread(name), retry),
      findThread: () => retryTransient(around.findThread, retry),
    },
    botName: bot.name,
    onFailure: (error) =>
      logger.warn(aboutMessage(message, error), 'failed to create thread; replying in channel'),
  });
  if (place.mayPost()) return place;
  throw new BotError('discord-permission', 'the bot is not allowed to send messages here', {
    operation: 'post',
  });
}

/** Says in the place why there is no answer; where the bot may not write, to the author in private. False: nobody was told. */
async function tellWhyNot(
  { message, around, answer }: TakenMessage,
  { textsFor, logger }: AnswerParts,
  error: unknown,
): Promise<boolean> {
  // Whoever cannot be answered now cannot be told so either.
  if (isTransient(error)) return false;
  const texts = textsFor(message);
  const code = BotError.isInstance(error) ? error.code : 'unexpected';
  const tell = (): Promise<unknown> => {
    if (code !== 'discord-permission')
      return Promise.resolve(
        answer?.say(markNotice(code === 'discord-gone' ? texts.partDeleted : texts.notPosted)),
      );
    if (message.where.kind === 'direct') return Promise.resolve();
    return around.tellAuthor(texts.cannotPost(message.channelId));
  };
  try {
    await tell();
  } catch (failure) {
    logger.warn(aboutMessage(message, failure), 'failed to notify author');
  }
  return true;
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

/** Everything that one answer needs. */
interface AnswerRoom extends AnswerParts {
  readonly place: Place;
  readonly answer: OutgoingAnswer;
  readonly stopping: AbortSignal;
}

/**
 * Reads the conversation, asks the model once, and posts its answer, or why there is none.
 *
 * @throws BotError when nothing can be posted; the signal's reason when it aborts before the model has answered
 */
async function replyInPlace(message: IncomingMessage, room: AnswerRoom, signal: AbortSignal): Promise<void> {
  const { answer, clock, logger, debug } = room;
  const ids = { messageId: message.id, threadId: room.place.id };
  const begun = clock.now();
  const texts = room.textsFor(message);
  if (isNewCommand(message.content, room.bot.id)) return answer.say(markBeginning(texts.begunAnew));
  if (message.hasAttachment === true && !isVisible(message.modelContent ?? message.content)) {
    const { isReadable } = await room.files.read(message.id);
    if (!isReadable) return answer.say(markNotice(texts.cannotRead));
  }
  const asked = await askModel(message, room, signal);
  signal.throwIfAborted();
  // A mention with no text below the last answer: there is nothing to say yet.
  if (asked === null) return answer.say(markNotice(texts.askForQuestion));
  const { reply, failure, conversation } = asked;
  if (reply === null) {
    logger.error({ ...ids, ...describeError(failure) }, 'failed to call model');
    return answer.say(markNotice(texts.fallback[failureOf(failure)]));
  }
  const text = room.names.toMarkup(room.place.id, withoutMarks(reply.text).trim());
  if (debug) logger.debug({ ...ids, ...describeText(text) }, 'received answer from model');
  const isLost = isTransient(conversation.error);
  const notices = [...(reply.complete ? [] : [texts.cutOff]), ...(isLost ? [texts.historyUnreachable] : [])];
  if (!isVisible(text)) return answer.say(markNotice(texts.emptyAnswer));
  await answer.finish(text, { isWhole: notices.length === 0 });
  if (notices.length > 0) await answer.say(markNotice(notices.join('\n')));
  logger.info(
    { ...ids, durationMs: clock.now() - begun, turns: conversation.turns.length },
    'answered message',
  );
}

function failureOf(error: unknown): ModelErrorCode {
  return ModelError.isInstance(error) ? error.code : 'model-failed';
}
