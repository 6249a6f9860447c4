import { type Client, Events } from 'discord.js';
import { z } from 'zod';
import type { GatewayHistory, HistoryEvent } from '../history/gateway-history.ts';
import { messagePayloadSchema, type ThreadMessageOptions, toThreadMessage } from './to-thread-message.ts';

const channelSchema = z.object({ channel_id: z.string() });
const updateSchema = channelSchema.extend({ id: z.string(), content: z.string() });
const deleteSchema = channelSchema.extend({ id: z.string() });
const bulkSchema = channelSchema.extend({ ids: z.array(z.string()) });
const goneSchema = z.object({ id: z.string() });

/** Lets the gateway's events keep a history as it is. */
export function feedHistory(client: Client, history: GatewayHistory, options: ThreadMessageOptions): void {
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
