import type { Logger } from '@agent/text';
import type { ThreadReader } from '@agent/thread-context';
import { type Client, Events, type Message, PermissionFlagsBits, type SendableChannels } from 'discord.js';
import type { DiscordBot } from '../discord-bot.ts';
import { createGatewayHistory, type GatewayHistory } from '../history/gateway-history.ts';
import { describeError } from '../log/describe-error.ts';
import type { Settings } from '../settings/settings-schema.ts';
import { has } from './create-place.ts';
import { createRestReader } from './create-rest-reader.ts';
import { feedHistory } from './feed-history.ts';
import { surroundMessage } from './surround-message.ts';
import { toIncomingMessage } from './to-incoming-message.ts';

export interface ListenOptions {
  readonly bot: DiscordBot;
  readonly settings: Settings;
  readonly logger: Logger;
}

/** Brings the bot each message that the client hears. Gives what ends that. */
export function listen(client: Client<true>, { bot, settings, logger }: ListenOptions): () => void {
  const { DISPLAY_NAME: displayName, THREAD_ARCHIVE_MINUTES: archiveMinutes } = settings;
  const history = openHistory(client, settings);
  const historyOf = (channel: SendableChannels): ThreadReader => {
    const reader = createRestReader(client, {
      displayName,
      channelId: channel.id,
      parentId: channel.isThread() ? channel.parentId : null,
      mayReadHistory: () => has(channel, PermissionFlagsBits.ReadMessageHistory),
    });
    return history === null ? reader : history.remember(channel.id, reader);
  };
  const { id: authorId, username: authorName } = client.user;
  const own = { authorId, authorName, authorIsBot: true, isSystem: false };
  const onMessage = (message: Message): void => {
    const around = surroundMessage(message, {
      historyOf,
      archiveMinutes,
      // The event may come later than the next answer begins.
      onSent: ({ kind, id, channelId, content }) =>
        history?.apply(
          kind === 'edited'
            ? { kind, channelId, id, content }
            : { kind, channelId, message: { ...own, id, content } },
        ),
    });
    bot.onMessageCreate(toIncomingMessage(message, { displayName }), around);
  };
  const onMessageCreate = (message: Message): void => {
    try {
      onMessage(message);
    } catch (error) {
      // One message that cannot be read must not end the process, and with it all others.
      const ids = { messageId: message.id, threadId: message.channelId };
      logger.error({ ...ids, ...describeError(error) }, 'could not take a message');
    }
  };
  const onMessageDelete = ({ id }: { readonly id: string }): void => bot.onMessageDelete(id);
  const onMessagesDelete = (messages: ReadonlyMap<string, unknown>): void => {
    for (const id of messages.keys()) bot.onMessageDelete(id);
  };
  client.on(Events.MessageCreate, onMessageCreate);
  client.on(Events.MessageDelete, onMessageDelete);
  client.on(Events.MessageBulkDelete, onMessagesDelete);
  return () => {
    client.off(Events.MessageCreate, onMessageCreate);
    client.off(Events.MessageDelete, onMessageDelete);
    client.off(Events.MessageBulkDelete, onMessagesDelete);
  };
}

function openHistory(client: Client, settings: Settings): GatewayHistory | null {
  if (settings.HISTORY_CACHE === 'off') return null;
  const history = createGatewayHistory({ maxMessages: settings.MAX_THREAD_MESSAGES });
  feedHistory(client, history, { displayName: settings.DISPLAY_NAME });
  return history;
}
