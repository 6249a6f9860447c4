import { BotError } from '../bot-error.ts';
import { isNewCommand, markBeginning, markNotice, withoutMarker } from '../history/begin-anew.ts';
import type { Conversation } from '../history/read-conversation.ts';
import { describeError, describeText } from '../log/describe-error.ts';
import type { Reply } from '../model/reply-model.ts';
import { postReply } from '../place/split-reply.ts';
import { isVisible } from '../text/is-visible.ts';
import type { ModelFailure } from '../texts/texts.en.ts';
import type { AnswerParts, PlacedJob } from './answer-parts.ts';
import { createLiveReply, type LiveReply } from './live-reply.ts';

/**
 * Reads the conversation, asks the model once, and posts its answer, or why there is none.
 *
 * @throws BotError when nothing can be posted; the signal's reason when the bot ends meanwhile
 */
export async function replyInPlace(job: PlacedJob, parts: AnswerParts, signal: AbortSignal): Promise<void> {
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
