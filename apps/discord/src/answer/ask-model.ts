import { createHash } from 'node:crypto';
import { ModelError, type Reply, type ReplyModel } from '@agent/runner/reply';
import type { Logger } from '@agent/text';
import { toModelMessages } from '@agent/thread-context';
import { type ThreadNames, withoutNoticeMark, withoutUnfinishedMark } from '@agent/thread-context/chat';
import { describeError } from '../bot-error.ts';
import type { Conversation, ReadConversation } from '../history/read-conversation.ts';
import type { IncomingMessage } from '../message/incoming-message.ts';
import type { Place } from '../place/place.ts';
import type { Semaphore } from '../waits.ts';
import type { OutgoingAnswer } from './outgoing-answer.ts';

export interface AskOptions {
  readonly model: ReplyModel;
  readonly readConversation: ReadConversation;
  /** Turns the names in answers into mentions. */
  readonly names: Pick<ThreadNames, 'toMarkup'>;
  /** Number of answers that are worked on at once. */
  readonly slots: Semaphore;
  readonly place: Place;
  readonly answer: Pick<OutgoingAnswer, 'show'>;
  /** Tells whether answers are shown as they grow. */
  readonly stream: boolean;
  /** Tells whether lengths and hashes of texts are logged. */
  readonly debug: boolean;
  readonly logger: Logger;
  /** Nothing new begins after it aborts. */
  readonly stopping: AbortSignal;
}

/** Result of a question to the model. */
export interface Asked {
  /** Null: the model failed. */
  readonly reply: Reply | null;
  readonly failure: unknown;
  readonly conversation: Conversation;
}

/** Transcript of so few characters is longer than no window. */
const leastTranscriptChars = 200;

/**
 * Holds a slot while it reads and asks, and none while Discord makes answers wait. A conversation that is longer than the window of the
 * model is asked for again at half its length, without its oldest messages. Null: there is nothing to answer.
 */
export async function askModel(
  message: IncomingMessage,
  options: AskOptions,
  signal: AbortSignal,
): Promise<Asked | null> {
  const { readConversation, slots, place, logger, debug, stopping, model, stream, names } = options;
  const answer = {
    show: (textSoFar: string) => options.answer.show(names.toMarkup(place.id, textSoFar)),
  };
  const ids = { messageId: message.id, threadId: place.id };
  const release = await slots.acquire(AbortSignal.any([signal, stopping]));
  try {
    for (let maxChars: number | undefined; ; ) {
      const conversation = await readConversation(place, { message, signal, maxChars });
      const { turns, transcript, error } = conversation;
      if (error !== null) logger.warn({ ...ids, ...describeError(error) }, 'failed to read full history');
      if (turns.at(-1)?.role !== 'user') return null;
      if (debug) logger.debug({ ...ids, ...describeText(transcript) }, 'calling model');
      const asked = await askOnce(conversation, { answer, model, stream }, signal);
      maxChars = Math.floor(transcript.length / 2);
      if (!isOverflow(asked.failure) || maxChars < leastTranscriptChars) return asked;
      logger.warn(
        { ...ids, chars: transcript.length, maxChars },
        'shortening conversation: too long for model',
      );
    }
  } finally {
    release();
  }
}

async function askOnce(
  conversation: Conversation,
  { answer, model, stream }: Pick<AskOptions, 'answer' | 'model' | 'stream'>,
  signal: AbortSignal,
): Promise<Asked> {
  const { turns, transcript } = conversation;
  const onText = stream ? (textSoFar: string) => answer.show(withoutMarks(textSoFar)) : null;
  const request = { messages: toModelMessages(turns), transcript };
  try {
    const reply = await model.reply(request, { signal, onText });
    return { conversation, reply, failure: null };
  } catch (failure) {
    return { conversation, reply: null, failure };
  }
}

function isOverflow(error: unknown): boolean {
  return ModelError.isInstance(error) && error.code === 'model-too-long';
}

/** An answer must look neither like a notice nor like a part of one. */
export function withoutMarks(text: string): string {
  return withoutUnfinishedMark(withoutNoticeMark(text));
}

/** Describes a text for a log: how long it is, and whether it is the same as another. @see decision D16 */
export function describeText(text: string): { readonly chars: number; readonly sha256: string } {
  return { chars: text.length, sha256: createHash('sha256').update(text).digest('hex').slice(0, 12) };
}
