import type { Logger } from '@agent/text';
import { findOpen, type StandingPart, withoutUnfinishedMark } from '@agent/thread-context/chat';
import {
  type AnyThreadChannel,
  type Client,
  type Message,
  PermissionFlagsBits,
  type SendableChannels,
  SnowflakeUtil,
} from 'discord.js';
import type { Job } from '../answer/answer-message.ts';
import { atDiscord, BotError, describeError } from '../bot-error.ts';
import type { MessageHandler } from '../message-handler.ts';
import { leaseMsOf, type Settings } from '../settings/parse-settings.ts';
import { type Clock, createSemaphore, retryTransient, sleep } from '../waits.ts';
import { refusedEmoji } from './create-place.ts';
import { createGapSearch } from './gap-search.ts';
import { has } from './thread-history.ts';

/** Age beyond which nothing is looked for. */
const lookBackMs = 24 * 60 * 60_000;
/** Pages of 100 messages that are read of a channel or thread. */
const maxPages = 5;
/** Places that are looked through at once. */
const maxLooks = 4;

export interface CatchUpOptions {
  readonly bot: MessageHandler;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  readonly toJob: (message: Message) => Job;
  /** Called with each place whose events were lost. */
  readonly onGap: (channel: Message['channel']) => void;
}

/** Finds what nobody answered while the bot was away, or what it took and did not answer. */
export interface CatchUp {
  /** Looks through all that can be listed without asking: active threads, and channels with new messages. */
  readonly onSession: () => void;
  /** Looks through the places with messages that brought no event. A session that is resumed may lack events. */
  readonly onResume: () => void;
  /** Looks through a thread or direct messages where somebody writes, once in a session: not all of them can be listed. */
  readonly onPlace: (channel: Message['channel']) => void;
  /** Looks through a thread of ours as it is made, unless this process took the message that it is made from: then another one did. */
  readonly onNewThread: (thread: AnyThreadChannel) => void;
  /** Takes a message that was not answered and now reads otherwise. */
  readonly onEdit: (message: Message) => void;
  /** Takes a message whose answer another process began, if it has not come to its end in the time of an answer. */
  readonly onLeft: (message: Message) => void;
}

/** Milliseconds in which what was written is looked for. */
function windowOf({ CATCH_UP_MINUTES: minutes }: Settings): number {
  return Math.max(lookBackMs, minutes * 60_000);
}

/** An open message with what tells whether it is still worth an answer. */
interface Found extends Job {
  readonly standing: readonly StandingPart[];
  /** Milliseconds since 1970 of its last change. */
  readonly askedAt: number;
  /** The same of what stands of its answer; null: nothing does. */
  readonly answeredAt: number | null;
  /** True: its answer stands in the thread that was made from it, not where it was found. */
  readonly isInThread: boolean;
}

/** Makes the looks at the beginning and in the course of a session. */
export function createCatchUp(client: Client<true>, options: CatchUpOptions): CatchUp {
  const { bot, settings, clock, signal } = options;
  const isOff = settings.CATCH_UP_MINUTES === 0;
  const { start, isRecent, quietMs } = createLook(options);
  const looked = new Set<string>();
  const lookOnce = (channel: Message['channel']): void => {
    looked.add(channel.id);
    start(channel);
  };
  const lookFor = (message: Message): void => start(findThread(message) ?? message.channel, message.id);
  return {
    onLeft: (message) => void sleep(clock, quietMs, signal).then(() => lookFor(message)),
    onSession: () => {
      looked.clear();
      for (const channel of isOff ? [] : client.channels.cache.values()) {
        if (!channel.isTextBased()) continue;
        // Of direct messages only those are known in which somebody wrote to this process, and not what was written since.
        // A thread in which nothing stands yet has the id of the message that it was made from.
        const lastId = channel.lastMessageId ?? (channel.isThread() ? channel.id : null);
        if (!channel.isDMBased() && !isRecent(lastId)) continue;
        if (!channel.isThread() || channel.archived !== true) lookOnce(channel);
      }
    },
    onResume: isOff
      ? () => {}
      : createGapSearch(client, {
          clock,
          signal,
          logger: options.logger,
          onGap: (channel) => {
            options.onGap(channel);
            start(channel);
          },
        }),
    onPlace: (channel) => {
      const isOurs = channel.isThread() ? channel.ownerId === client.user.id : channel.isDMBased();
      if (!isOff && isOurs && !looked.has(channel.id)) lookOnce(channel);
    },
    onNewThread: (thread) => {
      if (isOff || thread.ownerId !== client.user.id || bot.hasHandled(thread.id)) looked.add(thread.id);
      else lookOnce(thread);
    },
    onEdit: (message) => {
      if (!bot.hasHandled(message.id) && bot.shouldHandle(options.toJob(message).message)) lookFor(message);
    },
  };
}

/** A look through one place. */
interface Look {
  /** Begins it. `only`: for this message, however old it is. */
  readonly start: (channel: Message['channel'], only?: string) => void;
  /** Tells of an id whether it is of the time that is looked through. */
  readonly isRecent: (id: string | null) => boolean;
  /** Milliseconds after its last change in which another process may still be at work on an answer that stands half. */
  readonly quietMs: number;
}

/**
 * Makes the look for what is open. It asks Discord alone: what has no answer, or one that is not whole, is answered when it is
 * younger than the settings say; else the place is told, once.
 */
function createLook(options: CatchUpOptions): Look {
  const { bot, settings, clock, logger, signal } = options;
  const catchUpMs = settings.CATCH_UP_MINUTES * 60_000;
  const quietMs = leaseMsOf(settings);
  const slots = createSemaphore(maxLooks);
  const isRecent = (id: string | null): boolean =>
    id !== null && clock.now() - timeOf(id) < windowOf(settings);
  const logWarning = (channel: Message['channel'], error: unknown, message: string): void =>
    logger.warn({ threadId: channel.id, ...describeError(error) }, message);

  const look = async (channel: SendableChannels, only: string | undefined): Promise<void> => {
    const onRetry = (error: unknown): void =>
      logWarning(channel, error, 'failed to find unanswered messages; retrying');
    const all = await retryTransient(() => findIn(channel, { ...options, only }), { clock, signal, onRetry });
    const isMeant = ({ message }: Found): boolean => (only ?? message.id) === message.id;
    const meant = all.filter(
      (each) => isMeant(each) && !bot.hasHandled(each.message.id) && bot.shouldHandle(each.message),
    );
    const isYoung = ({ askedAt }: Found): boolean => only !== undefined || clock.now() - askedAt < catchUpMs;
    for (const { message } of meant.filter((each) => each.isInThread && isYoung(each))) {
      const thread = findThread({ id: message.id, client: channel.client });
      // A thread of ours is looked through by itself, at the beginning of a session or when it is made.
      const isElsewhere = only !== undefined || thread?.ownerId !== channel.client.user.id;
      if (thread !== null && isElsewhere) start(thread, message.id);
    }
    const found = meant.filter(({ isInThread }) => !isInThread);
    // More than may wait in a thread are not worth an answer each.
    const answered = new Set(found.filter(isYoung).slice(-1 - settings.MAX_WAITING_PER_THREAD));
    for (const each of answered) takeWhenLeft(channel, each);
    const old = found.filter((each) => !answered.has(each) && isRecent(each.message.id));
    const newest = old.at(-1);
    if (newest !== undefined) await bot.sayNotAnswered(newest, old.length);
  };
  const takeWhenLeft = (channel: SendableChannels, found: Found): void => {
    const waitMs = found.answeredAt === null ? 0 : found.answeredAt + quietMs - clock.now();
    if (waitMs <= 0) bot.take(found);
    else void sleep(clock, waitMs, signal).then(() => start(channel, found.message.id));
  };
  const start: Look['start'] = (channel, only) => {
    if (signal.aborted || !channel.isSendable() || !mayAnswer(channel)) return;
    slots
      .acquire(signal)
      .then((release) => look(channel, only).finally(release))
      .catch((error: unknown) => {
        if (!signal.aborted) logWarning(channel, error, 'failed to find unanswered messages');
      });
  };
  return { start, isRecent, quietMs };
}

/** False where the bot could not read what was said, or not answer it. */
function mayAnswer(channel: SendableChannels): boolean {
  const { ViewChannel, ReadMessageHistory, SendMessages, SendMessagesInThreads, CreatePublicThreads } =
    PermissionFlagsBits;
  if (!has(channel, ViewChannel | ReadMessageHistory)) return false;
  if (channel.isThread()) return channel.sendable;
  return has(channel, SendMessages) || has(channel, SendMessagesInThreads | CreatePublicThreads);
}

/** Finds what is open in a channel or thread, oldest first, and takes marks off what is whole. @throws BotError */
function findIn(
  channel: SendableChannels,
  {
    clock,
    settings,
    toJob,
    only,
  }: Pick<CatchUpOptions, 'clock' | 'settings' | 'toJob'> & { readonly only: string | undefined },
): Promise<readonly Found[]> {
  return atDiscord('read-history', async () => {
    const since = clock.now() - windowOf(settings);
    const { messages, isWhole } = await readSince(channel, since);
    const botId = channel.client.user.id;
    const { open, leftMarks } = findOpen(
      messages.map(({ id, content, author, system, reference }) => ({
        id,
        content,
        isOwn: author.id === botId && !system,
        repliesTo: reference?.messageId ?? null,
      })),
      { starterId: channel.isThread() && isWhole ? channel.id : null },
    );
    for (const { id, content } of leftMarks)
      await channel.messages.edit(id, { content: withoutUnfinishedMark(content) });
    const byId = new Map(messages.map((message) => [message.id, message]));
    const isAsked = channel.isThread() && (channel.ownerId === botId || channel.id === only);
    const isStarterOpen = isAsked && timeOf(channel.id) > since && open[0]?.id === channel.id;
    const starter = isStarterOpen ? await fetchStarter(channel) : null;
    if (starter !== null) byId.set(starter.id, starter);
    return open.flatMap(({ id, standing }): Found[] => {
      const message = byId.get(id);
      if (message === undefined) return [];
      // What one process refuses, because too much waits there, another one may have begun to answer.
      if (standing.length === 0 && message.reactions.cache.get(refusedEmoji)?.me === true) return [];
      const last = byId.get(standing.at(-1)?.id ?? '');
      return [
        {
          ...toJob(message),
          standing,
          askedAt: changedAt(message),
          answeredAt: last ? changedAt(last) : null,
          isInThread: message.hasThread && channel.id !== id,
        },
      ];
    });
  });
}

/** The thread that was made from a message, where it is known. */
function findThread({ id, client }: Pick<Message, 'id'> & { readonly client: Client<true> }) {
  const thread = client.channels.cache.get(id);
  return thread?.isThread() === true ? thread : null;
}

/** Reads the last messages, oldest first. `isWhole`: there are no older ones. */
async function readSince(
  channel: SendableChannels,
  since: number,
): Promise<{ readonly messages: readonly Message[]; readonly isWhole: boolean }> {
  const newestFirst: Message[] = [];
  for (let page = 0; page < maxPages; page += 1) {
    const before = newestFirst.at(-1)?.id;
    const fetched = await channel.messages.fetch({ limit: 100, cache: false, ...(before && { before }) });
    newestFirst.push(...fetched.values());
    if (fetched.size < 100) return { messages: newestFirst.reverse(), isWhole: true };
    if (timeOf(newestFirst.at(-1)?.id ?? '0') < since) break;
  }
  return { messages: newestFirst.reverse(), isWhole: false };
}

/** The message that a thread was made from; null: it was deleted, or there is none. */
async function fetchStarter(channel: SendableChannels): Promise<Message | null> {
  if (!channel.isThread()) return null;
  try {
    return await atDiscord('read-history', () => channel.fetchStarterMessage({ cache: false }));
  } catch (error) {
    if (BotError.isInstance(error) && error.code === 'discord-gone') return null;
    throw error;
  }
}

/** Milliseconds since 1970. */
function timeOf(id: string): number {
  return SnowflakeUtil.timestampFrom(id);
}

function changedAt({ createdTimestamp, editedTimestamp }: Message): number {
  return Math.max(createdTimestamp, editedTimestamp ?? 0);
}
