import type { Logger } from '@agent/text';
import type { AttachedFiles, ThreadNames } from '@agent/thread-context/chat';
import { ChannelType, type Client, Events, type Message, type OmitPartialGroupDMChannel } from 'discord.js';
import { aboutMessage } from '../answer/answer-message.ts';
import type { IncomingMessage, MessagePlace } from '../message/incoming-message.ts';
import type { MessageHandler } from '../message-handler.ts';
import type { Settings } from '../settings/parse-settings.ts';
import type { Clock } from '../waits.ts';
import { type CatchUp, createCatchUp } from './catch-up.ts';
import { surroundMessage } from './create-place.ts';
import {
  type MessagePayload,
  type ReadMessageOptions,
  RecentPayloads,
  readContent,
  toThreadMessage,
  withoutMentions,
} from './read-message.ts';
import { openHistories } from './thread-history.ts';

export interface ListenOptions {
  readonly bot: MessageHandler;
  readonly names: ThreadNames;
  readonly files: AttachedFiles;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Ends the looks for what was not answered. */
  readonly signal: AbortSignal;
}

/** Brings the bot each message that the client hears, and those that it missed, for as long as the client lives. */
export function listen(client: Client<true>, options: ListenOptions): void {
  const { bot, settings, logger, names, files } = options;
  const { DISPLAY_NAME: displayName, THREAD_ARCHIVE_MINUTES: archiveMinutes } = settings;
  const reading = { client, displayName, names, files };
  const payloads = new RecentPayloads(client);
  const histories = openHistories(client, { ...reading, settings });
  const toMessage = (message: Message): IncomingMessage =>
    toIncomingMessage(message, { ...reading, payload: payloads.of(message) });
  const toJob = (message: Message) => ({
    message: toMessage(message),
    around: surroundMessage(message, {
      histories,
      archiveMinutes,
      lookAgain: (left) => catchUp.onLeft(left),
    }),
  });
  const catchUp: CatchUp = createCatchUp(client, {
    ...options,
    toJob,
    onGap: ({ id: channelId }) => histories.apply({ kind: 'channel-gone', channelId }),
  });
  /** One message that cannot be read must not end the process, and with it all others. */
  const safely =
    <Heard extends OmitPartialGroupDMChannel<Message>>(hear: (message: Heard) => void) =>
    (message: Heard): void => {
      try {
        hear(message);
      } catch (error) {
        logger.error(aboutMessage(message, error), 'failed to handle message');
      }
    };
  const hear = safely((message) => {
    const { author, channel, channelId, reference } = message;
    if (author.id === client.user.id)
      return bot.onOwnMessage({ channelId, repliesTo: reference?.messageId ?? null });
    const { message: incoming, around } = toJob(message);
    bot.onMessageCreate(incoming, around);
    catchUp.onPlace(channel);
  });
  const hearEdit = safely((message) => {
    if (message.author.id === client.user.id) return bot.onOwnEdit(message);
    bot.onMessageEdit(toMessage(message));
    // Whom an edit calls is heard as if it had been written so; a preview of a link is no edit.
    if (message.editedTimestamp !== null) catchUp.onEdit(message);
  });
  client.on(Events.MessageCreate, hear);
  client.on(Events.MessageUpdate, (_, message) => hearEdit(message));
  client.on(Events.MessageDelete, ({ id }) => bot.onMessageDelete(id));
  client.on(Events.MessageBulkDelete, (messages) => {
    for (const id of messages.keys()) bot.onMessageDelete(id);
  });
  client.on(Events.ThreadCreate, (thread, isNew) => isNew && catchUp.onNewThread(thread));
  // A new session repeats no events; a resumed one should, but may not.
  client.on(Events.ShardReady, catchUp.onSession);
  client.on(Events.ShardResume, catchUp.onResume);
  catchUp.onSession();
}

const threadParents: ReadonlySet<ChannelType> = new Set([
  ChannelType.GuildText,
  ChannelType.GuildAnnouncement,
]);

/** A message of discord.js as the bot decides by it. */
function toIncomingMessage(
  message: Message,
  options: ReadMessageOptions & { readonly payload: MessagePayload },
): IncomingMessage {
  const { author, client, channel } = message;
  const parentId = channel.isThread() ? channel.parentId : null;
  const where = toPlace(message);
  // A thread that is made of a message has its id.
  const placeId = where.kind === 'channel' ? message.id : message.channelId;
  const { payload } = options;
  return {
    id: message.id,
    channelId: message.channelId,
    authorId: author.id,
    authorName: options.displayName ? author.displayName : author.username,
    authorIsBot: author.bot || message.webhookId !== null,
    isSystem: message.system,
    content: message.content,
    readableContent: withoutMentions(readContent(payload, { ...options, placeId }), client.user.id),
    modelContent: toThreadMessage(payload, options, placeId).content,
    hasAttachment: hasAttachment(message, payload),
    mentionsBot: message.mentions.has(client.user, {
      ignoreEveryone: true,
      ignoreRoles: true,
      ignoreRepliedUser: true,
    }),
    where,
    origin: {
      guildId: message.guildId,
      channelIds: parentId === null ? [message.channelId] : [message.channelId, parentId],
      roleIds: [...(message.member?.roles.cache.keys() ?? [])],
    },
    guildLocale: message.guild?.preferredLocale ?? null,
  };
}

function toPlace({ channel, hasThread }: Message): MessagePlace {
  if (channel.isThread()) return { kind: 'thread', ownerId: channel.ownerId };
  if (channel.isDMBased()) return { kind: 'direct' };
  return { kind: 'channel', canHaveThread: threadParents.has(channel.type), hasThread };
}

function hasAttachment({ stickers, poll }: Message, payload: MessagePayload): boolean {
  const parts = [payload, ...(payload.message_snapshots ?? []).map(({ message }) => message)];
  return (
    stickers.size > 0 || poll !== null || parts.some(({ attachments }) => (attachments ?? []).length > 0)
  );
}
