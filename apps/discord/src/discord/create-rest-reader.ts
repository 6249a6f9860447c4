import type { ThreadReader } from '@agent/thread-context';
import { type Client, Routes } from 'discord.js';
import { z } from 'zod';
import { BotError } from '../bot-error.ts';
import { atDiscord } from './to-bot-error.ts';
import { messagePayloadSchema, type ThreadMessageOptions, toThreadMessage } from './to-thread-message.ts';

export interface RestReaderOptions extends ThreadMessageOptions {
  readonly channelId: string;
  /** The channel of a thread; null: it is none, and has no first message elsewhere. */
  readonly parentId: string | null;
  /** False where Discord would answer "no messages" instead of refusing. */
  readonly mayReadHistory: () => boolean;
}

/**
 * Reads a thread's history through the library's REST client: its queues and its patience with rate limits, but no
 * objects that stay in memory.
 *
 * @see https://docs.discord.com/developers/resources/message#get-channel-messages
 */
export function createRestReader(client: Client, options: RestReaderOptions): ThreadReader {
  const { channelId, parentId, mayReadHistory } = options;
  return {
    fetchPage: ({ before, limit, signal }) =>
      atDiscord('read-history', async () => {
        if (!mayReadHistory()) {
          throw new BotError('discord-permission', 'the bot may not read the history here', {
            operation: 'read-history',
          });
        }
        const query = new URLSearchParams({ limit: String(limit), ...(before === null ? {} : { before }) });
        const page = await client.rest.get(Routes.channelMessages(channelId), {
          query,
          ...withSignal(signal),
        });
        return z
          .array(messagePayloadSchema)
          .parse(page)
          .map((payload) => toThreadMessage(payload, options));
      }),
    fetchStarter: async ({ signal } = {}) => {
      if (parentId === null) return null;
      try {
        return await atDiscord('read-history', async () => {
          const route = Routes.channelMessage(parentId, channelId);
          const payload = await client.rest.get(route, withSignal(signal));
          return toThreadMessage(messagePayloadSchema.parse(payload), options);
        });
      } catch (error) {
        // A thread made from nothing, or its first message was deleted.
        if (BotError.isInstance(error) && error.code === 'discord-gone') return null;
        throw error;
      }
    },
  };
}

function withSignal(signal: AbortSignal | undefined): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}
