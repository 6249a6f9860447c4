import type { ThreadReader } from '@agent/thread-context';
import { type Message, PermissionFlagsBits, type SendableChannels, type TextChannel } from 'discord.js';
import { BotError } from '../bot-error.ts';
import type { Place } from '../place/place.ts';
import type { Surroundings } from '../place/surroundings.ts';
import { createPlace, has, type PlaceOptions, requireSendable } from './create-place.ts';
import { atDiscord } from './to-bot-error.ts';

/** Shown on what was received. */
const receivedEmoji = '👀';

export interface SurroundingsOptions extends Pick<PlaceOptions, 'onSent'> {
  /** Reads what was said in a thread or in direct messages. */
  readonly historyOf: (channel: SendableChannels) => ThreadReader;
  readonly archiveMinutes: number;
}

/** What the bot can do about a message of discord.js. */
export function surroundMessage(message: Message, options: SurroundingsOptions): Surroundings {
  const { onSent, historyOf } = options;
  const placeOf = (channel: SendableChannels): Place => {
    const isConversation = channel.isThread() || channel.isDMBased();
    return createPlace(channel, {
      replyTo: channel.isThread() ? null : message,
      history: isConversation ? historyOf(channel) : null,
      onSent,
    });
  };
  return {
    here: () => placeOf(requireSendable(message.channel)),
    startThread: (name) =>
      atDiscord('open-thread', async () => {
        requireRight(message, PermissionFlagsBits.SendMessagesInThreads);
        return placeOf(await startThread(message, name, options.archiveMinutes));
      }),
    findThread: () =>
      atDiscord('open-thread', async () =>
        placeOf(requireSendable(await message.client.channels.fetch(message.id))),
      ),
    acknowledge: () => atDiscord('acknowledge', async () => void (await message.react(receivedEmoji))),
    tellAuthor: (text) => atDiscord('tell-author', async () => void (await message.author.send(text))),
  };
}

function startThread(message: Message, name: string, autoArchiveDuration: number): Promise<SendableChannels> {
  // `message.startThread` refuses by what it remembers of the message; Discord knows better.
  const channel = message.channel as TextChannel;
  return channel.threads.create({ name, startMessage: message, autoArchiveDuration });
}

/** A thread in which the bot could not speak is not made. */
function requireRight(message: Message, permission: bigint): void {
  if (has(message.channel as SendableChannels, permission)) return;
  throw new BotError('discord-permission', 'the bot may not send messages in threads here', {
    operation: 'open-thread',
  });
}
