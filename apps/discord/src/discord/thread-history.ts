import type { ThreadMessage, ThreadReader } from '@agent/thread-context';
import { type Client, Events, Routes } from 'discord.js';
import { z } from 'zod';
import { atDiscord, BotError } from '../bot-error.ts';
import { createGatewayHistory, type GatewayHistory, type HistoryEvent } from '../history/gateway-history.ts';
import type { Settings } from '../settings/parse-settings.ts';

/** Default, reply, and the two kinds of commands: the types that people and bots write. */
const written = new Set([0, 19, 20, 23]);

/** A message as Discord sends it, as far as a conversation needs it. @see https://docs.discord.com/developers/resources/message */
export const messagePayloadSchema = z.object({
  id: z.string(),
  channel_id: z.string(),
  type: z.number(),
  content: z.string(),
  author: z.object({
    id: z.string(),
    username: z.string(),
    global_name: z.string().nullish(),
    bot: z.boolean().nullish(),
  }),
  webhook_id: z.string().nullish(),
});

type MessagePayload = z.infer<typeof messagePayloadSchema>;

interface ThreadMessageOptions {
  /** Tells whether people go by the name they show rather than by that of their account. @see decision D9 */
  readonly displayName: boolean;
}

/** A message of Discord's API as one of a thread. */
export function toThreadMessage(payload: MessagePayload, options: ThreadMessageOptions): ThreadMessage {
  const { id, type, content, author, webhook_id } = payload;
  const shown = options.displayName ? (author.global_name ?? author.username) : author.username;
  return {
    id,
    authorId: author.id,
    authorName: shown,
    authorIsBot: author.bot === true || (webhook_id ?? null) !== null,
    isSystem: !written.has(type),
    content,
  };
}

const channelSchema = z.object({ channel_id: z.string() });
const updateSchema = channelSchema.extend({ id: z.string(), content: z.string() });
const deleteSchema = channelSchema.extend({ id: z.string() });
const bulkSchema = channelSchema.extend({ ids: z.array(z.string()) });
const goneSchema = z.object({ id: z.string() });

/** Lets the gateway's events keep a history as it is. */
function feedHistory(client: Client, history: GatewayHistory, options: ThreadMessageOptions): void {
  client.on(Events.ShardReconnecting, () => history.apply({ kind: 'connection-lost' }));
  client.on(Events.ShardDisconnect, () => history.apply({ kind: 'connection-lost' }));
  client.on(Events.Raw, (packet: { t?: string | null; d?: unknown }) => {
    const event = toHistoryEvent(packet, options);
    if (event !== null) history.apply(event);
  });
}

/** Null for what changes no history. */
function toHistoryEvent(
  { t: type, d: data }: { readonly t?: string | null; readonly d?: unknown },
  options: ThreadMessageOptions,
): HistoryEvent | null {
  switch (type) {
    case 'READY':
      return { kind: 'session-new' };
    case 'RESUMED':
      return { kind: 'connection-resumed' };
    case 'MESSAGE_CREATE':
      return read(messagePayloadSchema, data, (payload) => ({
        kind: 'added',
        channelId: payload.channel_id,
        message: toThreadMessage(payload, options),
      }));
    // Without text it tells of an embed or a pin.
    case 'MESSAGE_UPDATE':
      return read(updateSchema, data, ({ channel_id: channelId, id, content }) => ({
        kind: 'edited',
        channelId,
        id,
        content,
      }));
    case 'MESSAGE_DELETE':
      return read(deleteSchema, data, ({ channel_id: channelId, id }) => ({
        kind: 'removed',
        channelId,
        ids: [id],
      }));
    case 'MESSAGE_DELETE_BULK':
      return read(bulkSchema, data, ({ channel_id: channelId, ids }) => ({
        kind: 'removed',
        channelId,
        ids,
      }));
    case 'THREAD_DELETE':
    case 'CHANNEL_DELETE':
      return read(goneSchema, data, ({ id }) => ({ kind: 'channel-gone', channelId: id }));
    default:
      return null;
  }
}

function read<Payload>(
  schema: z.ZodType<Payload>,
  data: unknown,
  toEvent: (payload: Payload) => HistoryEvent,
): HistoryEvent | null {
  const parsed = schema.safeParse(data);
  return parsed.success ? toEvent(parsed.data) : null;
}

export function openHistory(client: Client, settings: Settings): GatewayHistory | null {
  if (settings.HISTORY_CACHE === 'off') return null;
  const history = createGatewayHistory({ maxMessages: settings.MAX_THREAD_MESSAGES });
  feedHistory(client, history, { displayName: settings.DISPLAY_NAME });
  return history;
}

interface RestReaderOptions extends ThreadMessageOptions {
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
