import {
  type AnswerParts,
  aboutMessage,
  answerMessage,
  type Job,
  openPlace,
} from './answer/answer-message.ts';
import { BotError, describeError } from './bot-error.ts';
import { markNotice } from './history/begin-anew.ts';
import {
  type AllowList,
  type IncomingMessage,
  mayUse,
  openToAll,
  shouldHandle,
} from './message/incoming-message.ts';
import type { Place, Surroundings } from './place/place.ts';
import { postReply } from './place/split-reply.ts';

export interface DiscordBotOptions {
  /** Number of messages that may wait in one thread. */
  readonly maxWaitingPerThread: number;
  /** Default: everybody, everywhere. */
  readonly allowed?: AllowList | undefined;
}

/**
 * Hears messages and answers those that are for it, those of one thread in their order.
 *
 * @example
 * const bot = new DiscordBot(parts, { maxWaitingPerThread: 10 });
 * bot.onMessageCreate(message, around);
 * await bot.stop(10_000);
 *
 * @see seed 003 §5.2 and decision D8
 */
export class DiscordBot {
  readonly #parts: AnswerParts;
  readonly #queue: ThreadQueue;
  readonly #allowed: AllowList;
  readonly #stopping = new AbortController();
  readonly #ending = new AbortController();
  /** Threads that were told that their queue is full. */
  readonly #told = new Set<string>();
  /** By message, for those that are not answered yet. */
  readonly #withdrawals = new Map<string, AbortController>();

  constructor(parts: AnswerParts, { maxWaitingPerThread, allowed = openToAll }: DiscordBotOptions) {
    this.#allowed = allowed;
    this.#parts = parts;
    this.#queue = createThreadQueue({ maxWaiting: maxWaitingPerThread });
  }

  /** Takes a message; what it leads to happens later. */
  onMessageCreate(message: IncomingMessage, around: Surroundings): void {
    if (!this.shouldHandle(message)) return;
    // A message in a channel gets a thread that will have its id.
    const threadId = message.where.kind === 'channel' ? message.id : message.channelId;
    const withdrawal = new AbortController();
    const stopping = AbortSignal.any([this.#stopping.signal, withdrawal.signal]);
    const taken = this.#queue.push(threadId, async () => {
      this.#told.delete(threadId);
      await answerMessage({ message, around }, this.#parts, { stopping, ending: this.#ending.signal });
      this.#withdrawals.delete(message.id);
    });
    if (taken === 'full') this.#sayFull(threadId, { message, around });
    if (taken !== 'taken') return;
    this.#withdrawals.set(message.id, withdrawal);
    const onFailure = (error: unknown): void =>
      this.#parts.logger.debug(aboutMessage(message, error), 'could not acknowledge the message');
    around.acknowledge().catch(onFailure);
  }

  /** Tells whether a message is for the bot, and from somebody who may use it there; who may not is logged and hears nothing. */
  shouldHandle(message: IncomingMessage): boolean {
    if (!shouldHandle(message, this.#parts.bot.id)) return false;
    if (mayUse(message, this.#allowed)) return true;
    const { authorId, origin } = message;
    const fields = { ...aboutMessage(message), authorId, serverId: origin.guildId };
    this.#parts.logger.info(fields, 'not answered, because it is not on the allow lists');
    return false;
  }

  /** The place where a message is answered: its thread, which is made if need be, else a reply. @throws BotError */
  ensureThread(message: IncomingMessage, around: Surroundings): Promise<Place> {
    return openPlace({ message, around }, this.#parts);
  }

  /** Posts an answer, in as many messages as it takes. @throws BotError what was posted before stays */
  postReply(place: Pick<Place, 'send'>, text: string): Promise<void> {
    return postReply(place, text);
  }

  /** A message that is deleted before its turn is not answered; an answer that the model works on is still posted. */
  onMessageDelete(messageId: string): void {
    this.#withdrawals.get(messageId)?.abort(new BotError('withdrawn', 'the message was deleted'));
  }

  /**
   * Begins nothing new, and lets what is under way end.
   *
   * @param limitMs how long that may take before it is broken off
   */
  async stop(limitMs: number): Promise<void> {
    const stopped = new BotError('stopped', 'the bot is being stopped');
    this.#stopping.abort(stopped);
    const cancel = this.#parts.clock.after(limitMs, () => this.#ending.abort(stopped));
    await this.#queue.close();
    cancel();
  }

  /** Once, until there is room again. */
  #sayFull(threadId: string, { message, around }: Job): void {
    const { logger, textsFor } = this.#parts;
    const waiting = this.#queue.countWaiting(threadId);
    const ids = { messageId: message.id, threadId };
    logger.warn({ ...ids, waiting }, 'too many messages wait in this thread; not answering this one');
    if (this.#told.has(threadId)) return;
    this.#told.add(threadId);
    around
      .here()
      .send(markNotice(textsFor(message).queueFull(waiting)))
      .catch((error: unknown) => logger.warn({ ...ids, ...describeError(error) }, 'could not say so'));
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
