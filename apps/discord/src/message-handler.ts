import { markAway, markNotice, type StandingPart } from '@agent/thread-context/chat';
import {
  type AnswerParts,
  aboutMessage,
  answerMessage,
  type Job,
  openPlace,
  type TakenMessage,
} from './answer/answer-message.ts';
import { createOutgoingAnswer } from './answer/outgoing-answer.ts';
import { BotError, describeError } from './bot-error.ts';
import {
  type AllowList,
  type IncomingMessage,
  mayUse,
  openToAll,
  shouldHandle,
} from './message/incoming-message.ts';
import type { Place, Surroundings } from './place/place.ts';
import type { RetryOptions } from './waits.ts';

/** Ids kept of messages that were taken. */
const maxRemembered = 10_000;

export interface MessageHandlerOptions {
  /** Number of messages that may wait in one thread. */
  readonly maxWaitingPerThread: number;
  /** Default: everybody, everywhere. */
  readonly allowed?: AllowList | undefined;
}

/**
 * Receives messages and answers each that is for the bot. Messages of one thread are answered in their order.
 *
 * @example
 * const bot = new MessageHandler(parts, { maxWaitingPerThread: 10 });
 * bot.onMessageCreate(message, around);
 * await bot.stop(10_000);
 *
 * @see seed 003 §5.2 and decision D8
 */
export class MessageHandler {
  readonly #parts: AnswerParts;
  readonly #queue: ThreadQueue;
  readonly #allowed: AllowList;
  readonly #stopping = new AbortController();
  readonly #ending = new AbortController();
  /** Threads that were told that their queue is full. */
  readonly #told = new Set<string>();
  /** By id, messages that are not answered yet. */
  readonly #taken = new Map<string, TakenMessage & { readonly withdraw: (reason: BotError) => void }>();
  /** Ids of messages that this process took and did not leave open. The oldest are forgotten. */
  readonly #handled = new Set<string>();

  constructor(parts: AnswerParts, { maxWaitingPerThread, allowed = openToAll }: MessageHandlerOptions) {
    this.#allowed = allowed;
    this.#parts = parts;
    this.#queue = createThreadQueue({ maxWaiting: maxWaitingPerThread });
  }

  /** Takes a message that is for the bot; what it leads to happens later. */
  onMessageCreate(message: IncomingMessage, around: Surroundings): void {
    if (this.shouldHandle(message)) this.take({ message, around });
  }

  /** Takes a message once. `standing`: what an earlier process left of an answer to it. */
  take({ message, around, standing = [] }: Job & { readonly standing?: readonly StandingPart[] }): void {
    if (this.#handled.has(message.id)) return;
    // A message in a channel gets a thread that will have its id.
    const threadId = message.where.kind === 'channel' ? message.id : message.channelId;
    const withdrawal = new AbortController();
    const taken = {
      message,
      around,
      standing,
      withdrawn: withdrawal.signal,
      withdraw: (reason: BotError) => withdrawal.abort(reason),
      revision: new AbortController(),
      answer: null,
    };
    const signals = { stopping: this.#stopping.signal, ending: this.#ending.signal };
    const queued = this.#queue.push(threadId, async () => {
      this.#told.delete(threadId);
      const outcome = await answerMessage(taken, this.#parts, signals);
      this.#taken.delete(message.id);
      if (outcome !== 'settled') this.#handled.delete(message.id);
      if (outcome === 'left') around.lookAgain();
    });
    if (queued === 'closed') return;
    this.#remember(message.id);
    const isTaken = queued === 'taken';
    if (isTaken) this.#taken.set(message.id, taken);
    else this.#sayFull(threadId, { message, around });
    (isTaken ? around.acknowledge() : around.refuse()).catch((error: unknown) =>
      this.#parts.logger.debug(aboutMessage(message, error), 'failed to acknowledge message'),
    );
  }

  /** Says in its place that a message, and so many in all with those before it, were not answered and will not be. */
  async sayNotAnswered(
    { message, around, standing }: Job & { readonly standing: readonly StandingPart[] },
    count: number,
  ): Promise<void> {
    this.#remember(message.id);
    const { where } = message;
    const hasThread = where.kind === 'channel' && where.hasThread;
    const place = hasThread ? await around.findThread() : around.here();
    const { logger, textsFor } = this.#parts;
    logger.warn(
      { messageId: message.id, threadId: place.id, count },
      'posting notice about unanswered messages',
    );
    const answer = createOutgoingAnswer(place, { ...this.#retry(), ...this.#parts.own, standing });
    await answer.say(markAway(textsFor(message).notAnswered(count)));
  }

  /** True for a message that this process answers, has answered or has refused. */
  hasHandled(messageId: string): boolean {
    return this.#handled.has(messageId);
  }

  #remember(messageId: string): void {
    this.#handled.add(messageId);
    const [oldest] = this.#handled;
    if (this.#handled.size > maxRemembered && oldest !== undefined) this.#handled.delete(oldest);
  }

  /** Tells whether a message is for the bot, and its author is allowed to use it there. Others are logged and get no answer. */
  shouldHandle(message: IncomingMessage): boolean {
    if (!shouldHandle(message, this.#parts.bot.id)) return false;
    if (mayUse(message, this.#allowed)) return true;
    this.#remember(message.id);
    const { authorId, origin } = message;
    const fields = { ...aboutMessage(message), authorId, serverId: origin.guildId };
    this.#parts.logger.info(fields, 'skipped message: not on an allow list');
    return false;
  }

  /** The place where a message is answered: its thread, which is made if need be, else a reply. @throws BotError */
  ensureThread(message: IncomingMessage, around: Surroundings): Promise<Place> {
    return openPlace({ message, around }, this.#parts, this.#retry());
  }

  /** Posts an answer, in as many messages as it takes. @throws BotError what was posted before stays, marked as unfinished */
  postReply(place: Place, text: string): Promise<void> {
    return createOutgoingAnswer(place, { ...this.#retry(), ...this.#parts.own }).finish(text);
  }

  #retry(): RetryOptions {
    return { clock: this.#parts.clock, signal: this.#ending.signal };
  }

  /** A message that is edited before its answer stands is answered as it reads then. */
  onMessageEdit(message: IncomingMessage): void {
    const taken = this.#taken.get(message.id);
    // A thread that is made of it and a preview of its links are no edits.
    if (taken === undefined || taken.message.content === message.content) return;
    taken.message = { ...message, where: taken.message.where };
    taken.revision.abort(new BotError('revised', 'the message was edited'));
  }

  /** A message that is deleted before anything of its answer stands is not answered. */
  onMessageDelete(messageId: string): void {
    this.#withdraw(messageId, new BotError('withdrawn', 'the message was deleted'));
  }

  /** A message of the bot's account: what another process of it has answered is not answered here. */
  onOwnMessage({
    channelId,
    repliesTo,
  }: {
    readonly channelId: string;
    readonly repliesTo: string | null;
  }): void {
    // A thread has the id of the message that it was made from.
    this.#withdraw(
      repliesTo ?? channelId,
      new BotError('answered', 'another process is answering this message'),
    );
  }

  /** A message of the bot's account reads otherwise: another process may have taken over an answer that this one is slow to give. */
  onOwnEdit(message: StandingPart): void {
    for (const { answer } of this.#taken.values()) answer?.hear(message);
  }

  #withdraw(messageId: string, reason: BotError): void {
    const taken = this.#taken.get(messageId);
    if (taken?.answer?.hasBegun() !== true) taken?.withdraw(reason);
  }

  /**
   * Begins nothing new, and lets what is under way end.
   *
   * @param limitMs how long that may take before it is broken off
   */
  async stop(limitMs: number): Promise<void> {
    const stopped = new BotError('stopped', 'the bot is shutting down');
    this.#stopping.abort(stopped);
    const cancel = this.#parts.clock.after(limitMs, () => this.#ending.abort(stopped));
    await this.#queue.close();
    this.#taken.clear();
    cancel();
  }

  /** Once, until there is room again. */
  #sayFull(threadId: string, { message, around }: Job): void {
    const { logger, textsFor } = this.#parts;
    const waiting = this.#queue.countWaiting(threadId);
    const ids = { messageId: message.id, threadId };
    logger.warn({ ...ids, waiting }, 'skipped message: too many are waiting in thread');
    if (this.#told.has(threadId)) return;
    this.#told.add(threadId);
    around
      .here()
      .send(markNotice(textsFor(message).queueFull(waiting)), { number: 0, first: null })
      .catch((error: unknown) =>
        logger.warn({ ...ids, ...describeError(error) }, 'failed to post queue-full notice'),
      );
  }
}

/** Jobs by thread: those of one thread one after the other, in their order; those of different threads side by side. */
interface ThreadQueue {
  /** `full`: so many wait there that this one is not taken; `closed`: none is. A job never rejects. */
  readonly push: (threadId: string, job: () => Promise<void>) => 'taken' | 'full' | 'closed';
  /** Number of jobs that wait in a thread, without the one under way. */
  readonly countWaiting: (threadId: string) => number;
  /** Forgets the jobs that wait and takes no more. Resolves when those under way are over. */
  readonly close: () => Promise<void>;
}

/** Makes a queue in each thread of which `maxWaiting` jobs may wait. @see decision D8 */
export function createThreadQueue({ maxWaiting }: { readonly maxWaiting: number }): ThreadQueue {
  const threads = new Map<
    string,
    { readonly waiting: (() => Promise<void>)[]; readonly over: Promise<void> }
  >();
  let isClosed = false;

  const work = async (threadId: string, jobs: (() => Promise<void>)[]): Promise<void> => {
    for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) await job();
    threads.delete(threadId);
  };

  return {
    push: (threadId, job) => {
      if (isClosed) return 'closed';
      const thread = threads.get(threadId);
      if (thread === undefined) {
        const waiting = [job];
        threads.set(threadId, { waiting, over: work(threadId, waiting) });
      } else if (thread.waiting.length < maxWaiting) thread.waiting.push(job);
      else return 'full';
      return 'taken';
    },
    countWaiting: (threadId) => threads.get(threadId)?.waiting.length ?? 0,
    close: async () => {
      isClosed = true;
      for (const { waiting } of threads.values()) waiting.length = 0;
      await Promise.all([...threads.values()].map(({ over }) => over));
    },
  };
}
