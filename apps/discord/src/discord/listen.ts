import type { Logger } from '@agent/text';
import { type Client, Events, type Message, type OmitPartialGroupDMChannel } from 'discord.js';
import { aboutMessage } from '../answer/answer-message.ts';
import type { Clock } from '../clock.ts';
import type { DiscordBot } from '../discord-bot.ts';
import type { Settings } from '../settings/parse-settings.ts';
import { type CatchUp, createCatchUp } from './catch-up.ts';
import { surroundMessage } from './create-place.ts';
import { openHistories } from './thread-history.ts';
import { toIncomingMessage } from './to-incoming-message.ts';

export interface ListenOptions {
  readonly bot: DiscordBot;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Ends the looks for what was not answered. */
  readonly signal: AbortSignal;
}

/** Brings the bot each message that the client hears, and those that it missed, for as long as the client lives. */
export function listen(client: Client<true>, options: ListenOptions): void {
  const { bot, settings, logger } = options;
  const { DISPLAY_NAME: displayName, THREAD_ARCHIVE_MINUTES: archiveMinutes } = settings;
  const histories = openHistories(client, settings);
  const toJob = (message: Message) => ({
    message: toIncomingMessage(message, { displayName }),
    around: surroundMessage(message, {
      histories,
      archiveMinutes,
      lookAgain: (left) => catchUp.onLeft(left),
    }),
  });
  const catchUp: CatchUp = createCatchUp(client, { ...options, toJob });
  /** One message that cannot be read must not end the process, and with it all others. */
  const safely =
    <Heard extends OmitPartialGroupDMChannel<Message>>(hear: (message: Heard) => void) =>
    (message: Heard): void => {
      try {
        hear(message);
      } catch (error) {
        logger.error(aboutMessage(message, error), 'could not take a message');
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
    bot.onMessageEdit(toIncomingMessage(message, { displayName }));
    // Whom an edit calls is heard as if it had been written so; a preview of a link is no edit.
    if (message.editedTimestamp !== null) catchUp.onEdit(message);
  });
  client.on(Events.MessageCreate, hear);
  client.on(Events.MessageUpdate, (_, message) => hearEdit(message));
  client.on(Events.MessageDelete, ({ id }) => bot.onMessageDelete(id));
  client.on(Events.MessageBulkDelete, (messages) => {
    for (const id of messages.keys()) bot.onMessageDelete(id);
  });
  client.on(Events.ThreadCreate, ({ id }, isNew) => isNew && catchUp.onNewPlace(id));
  // A session that is resumed brings what was missed; a new one does not.
  client.on(Events.ShardReady, catchUp.onSession);
  catchUp.onSession();
}
