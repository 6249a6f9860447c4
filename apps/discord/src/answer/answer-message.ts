import { createHash } from 'node:crypto';
import type { Logger } from '@agent/text';
import { BotError, describeError } from '../bot-error.ts';
import type { Clock } from '../clock.ts';
import { isNewCommand, markBeginning, markNotice, withoutMarker } from '../history/begin-anew.ts';
import type { Conversation, ReadConversation } from '../history/read-conversation.ts';
import { type IncomingMessage, isVisible } from '../message/incoming-message.ts';
import type { Reply, ReplyModel } from '../model/reply-model.ts';
import { ensureThread, type Place, type Surroundings } from '../place/place.ts';
import { postReply } from '../place/split-reply.ts';
import type { ModelFailure, Texts } from '../texts/texts.en.ts';
import { createLiveReply, type LiveReply } from './live-reply.ts';
import type { Semaphore } from './thread-queue.ts';

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

/**
 * Reads the conversation, asks the model once, and posts its answer, or why there is none.
 *
 * @throws BotError when nothing can be posted; the signal's reason when the bot ends meanwhile
 */
async function replyInPlace(job: PlacedJob, parts: AnswerParts, signal: AbortSignal): Promise<void> {
  const { clock, logger, textsFor } = parts;
  const ids = { messageId: job.message.id, threadId: job.place.id };
  const begun = clock.now();
  const texts = textsFor(job.message);
  if (isNewCommand(job.message.content, parts.bot.id)) {
    await job.place.send(markBeginning(texts.begunAnew));
    return;
  }
  const conversation = await readAll(job, parts, signal);
  // A mention with no text below the last answer: there is nothing to say yet.
  if (conversation.turns.at(-1)?.role !== 'user') {
    await job.place.send(markNotice(texts.askForQuestion));
    return;
  }
  if (parts.debug) logger.debug({ ...ids, ...describeText(conversation.transcript) }, 'asking the model');
  const live = parts.stream ? createLiveReply(job.place, { clock, signal }) : null;
  const reply = await ask(conversation, { live, parts, signal }).catch((error: unknown) => error);
  if (!isReply(reply)) {
    signal.throwIfAborted();
    logger.error({ ...ids, ...describeError(reply) }, 'the model did not answer');
    await live?.leave();
    await job.place.send(markNotice(texts.fallback[failureOf(reply)]));
    return;
  }
  if (parts.debug) logger.debug({ ...ids, ...describeText(reply.text) }, 'the model answered');
  await post(reply, { job, parts, live });
  const durationMs = clock.now() - begun;
  logger.info({ ...ids, durationMs, turns: conversation.turns.length }, 'answered');
}

async function readAll(job: PlacedJob, parts: AnswerParts, signal: AbortSignal): Promise<Conversation> {
  const { message, place } = job;
  const conversation = await parts.readConversation(place, { message, signal });
  if (conversation.error !== null) {
    const ids = { messageId: message.id, threadId: place.id };
    parts.logger.warn({ ...ids, ...describeError(conversation.error) }, 'could not read the whole history');
  }
  return conversation;
}

async function ask(
  { turns, transcript }: Conversation,
  at: { readonly live: LiveReply | null; readonly parts: AnswerParts; readonly signal: AbortSignal },
): Promise<Reply> {
  const { live, parts, signal } = at;
  const onText = live === null ? null : (text: string) => live.show(withoutMarker(text));
  const reply = await parts.model.reply({ turns, transcript }, { signal, onText });
  return { ...reply, text: withoutMarker(reply.text).trim() };
}

async function post(
  { text, complete }: Reply,
  {
    job,
    parts,
    live,
  }: { readonly job: PlacedJob; readonly parts: AnswerParts; readonly live: LiveReply | null },
): Promise<void> {
  const texts = parts.textsFor(job.message);
  if (!isVisible(text)) {
    await job.place.send(markNotice(texts.emptyAnswer));
    return;
  }
  if (live === null) await postReply(job.place, text);
  else await live.finish(text);
  if (!complete) await job.place.send(markNotice(texts.cutOff));
}

function isReply(value: unknown): value is Reply {
  return typeof value === 'object' && value !== null && 'text' in value && 'complete' in value;
}

function failureOf(error: unknown): ModelFailure {
  const code = BotError.isInstance(error) ? error.code : 'model-failed';
  return code.startsWith('model-') ? (code as ModelFailure) : 'model-failed';
}

/** Describes a text for a log: how long it is, and whether it is the same as another. @see decision D16 */
export function describeText(text: string): { readonly chars: number; readonly sha256: string } {
  return { chars: text.length, sha256: createHash('sha256').update(text).digest('hex').slice(0, 12) };
}

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

/** The same once it is known where. */
interface PlacedJob extends Job {
  readonly place: Place;
}

/** Two ways in which an answer ends early. */
interface EndSignals {
  /** Nothing new begins, or the message was deleted before its turn. */
  readonly stopping: AbortSignal;
  /** Ends answers that are under way. */
  readonly ending: AbortSignal;
}
