import type { ThreadReader } from '@agent/thread-context';
import { createLiveHistory, type HistoryEvent, type LiveHistory } from '@agent/thread-context/chat';
import { type Client, Events, PermissionFlagsBits, Routes, type SendableChannels } from 'discord.js';
import { z } from 'zod';
import { atDiscord, BotError } from '../bot-error.ts';
import type { Settings } from '../settings/parse-settings.ts';
import { messagePayloadSchema, type ReadMessageOptions, toThreadMessage } from './read-message.ts';

/** Reads an event of the gateway by its name; those that change no history have no entry. */
function createEventReaders(options: ReadMessageOptions): ReadonlyMap<string, z.ZodType<HistoryEvent>> {
  const [id, content, channel_id] = [z.string(), z.string(), z.string()];
  const gone = z
    .object({ id })
    .transform((data): HistoryEvent => ({ kind: 'channel-gone', channelId: data.id }));
  const readers: Readonly<Record<string, z.ZodType<HistoryEvent>>> = {
    READY: z.unknown().transform(() => ({ kind: 'session-new' })),
    RESUMED: z.unknown().transform(() => ({ kind: 'connection-resumed' })),
    MESSAGE_CREATE: messagePayloadSchema.transform((payload) => ({
      kind: 'added',
      channelId: payload.channel_id,
      message: toThreadMessage(payload, options),
    })),
    // Without text it reports an embed or a pin.
    MESSAGE_UPDATE: z.union([
      messagePayloadSchema.transform(
        (payload): HistoryEvent => ({
          kind: 'edited',
          channelId: payload.channel_id,
          id: payload.id,
          content: toThreadMessage(payload, options).content,
        }),
      ),
      z.object({ channel_id, id, content }).transform(
        (data): HistoryEvent => ({
          kind: 'edited',
          channelId: data.channel_id,
          id: data.id,
          content: data.content,
        }),
      ),
    ]),
    MESSAGE_DELETE: z
      .object({ channel_id, id })
      .transform((data) => ({ kind: 'removed', channelId: data.channel_id, ids: [data.id] })),
    MESSAGE_DELETE_BULK: z
      .object({ channel_id, ids: z.array(id) })
      .transform((data) => ({ kind: 'removed', channelId: data.channel_id, ids: data.ids })),
    THREAD_DELETE: gone,
    CHANNEL_DELETE: gone,
  };
  return new Map(Object.entries(readers));
}

/** Lets the gateway's events keep a history as it is. */
function feedHistory(client: Client, history: LiveHistory, options: ReadMessageOptions): void {
  const readers = createEventReaders(options);
  client.on(Events.ShardReconnecting, () => history.apply({ kind: 'connection-lost' }));
  client.on(Events.ShardDisconnect, () => history.apply({ kind: 'connection-lost' }));
  client.on(Events.Raw, ({ t: name, d: data }: { t?: string | null; d?: unknown }) => {
    const event = readers.get(name ?? '')?.safeParse(data).data;
    if (event !== undefined) history.apply(event);
  });
}

/** Histories of threads and direct messages, read as the settings say. */
export interface ThreadHistories {
  readonly of: (channel: SendableChannels) => ThreadReader;
  /** Takes what the bot did itself: the gateway may tell of it later than the next answer begins. */
  readonly apply: (event: HistoryEvent) => void;
}

export function openHistories(
  client: Client,
  { settings, ...options }: ReadMessageOptions & { readonly settings: Settings },
): ThreadHistories {
  const ofDiscord = (channel: SendableChannels): ThreadReader => createRestReader(channel, options);
  if (settings.HISTORY_CACHE === 'off') return { of: ofDiscord, apply: () => {} };
  const history = createLiveHistory({ maxMessages: settings.MAX_THREAD_MESSAGES });
  feedHistory(client, history, options);
  return { of: (channel) => history.remember(channel.id, ofDiscord(channel)), apply: history.apply };
}

/**
 * Reads a thread's history through the library's REST client: its queues and its patience with rate limits, but no
 * objects that stay in memory.
 *
 * @see https://docs.discord.com/developers/resources/message#get-channel-messages
 */
function createRestReader(channel: SendableChannels, options: ReadMessageOptions): ThreadReader {
  const { rest } = channel.client;
  return {
    fetchPage: ({ before, limit, signal }) =>
      atDiscord('read-history', async () => {
        // Discord would answer "no messages" instead of refusing.
        if (!has(channel, PermissionFlagsBits.ReadMessageHistory)) {
          throw new BotError(
            'discord-permission',
            'the bot is not allowed to read the message history here',
            {
              operation: 'read-history',
            },
          );
        }
        const query = new URLSearchParams({ limit: String(limit), ...(before === null ? {} : { before }) });
        const page = await rest.get(Routes.channelMessages(channel.id), { query, ...withSignal(signal) });
        const payloads = z.array(messagePayloadSchema).parse(page);
        return payloads.map((payload) => toThreadMessage(payload, options));
      }),
    fetchStarter: async ({ signal } = {}) => {
      if (!channel.isThread() || channel.parentId === null) return null;
      const route = Routes.channelMessage(channel.parentId, channel.id);
      try {
        return await atDiscord('read-history', async () => {
          const payload = await rest.get(route, withSignal(signal));
          return toThreadMessage(messagePayloadSchema.parse(payload), options, channel.id);
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

/** Tells whether the bot has permissions in a channel; true in direct messages and where it is not known. */
export function has(channel: SendableChannels, permissions: bigint): boolean {
  if (channel.isDMBased()) return true;
  return channel.permissionsFor(channel.client.user)?.has(permissions) ?? true;
}
