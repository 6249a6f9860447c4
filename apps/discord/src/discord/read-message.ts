import type { ThreadMessage } from '@agent/thread-context';
import {
  type AttachedFiles,
  type Attachment,
  isNewCommand,
  type NameLookup,
  type ThreadNames,
  toOneLine,
  toReadableText,
} from '@agent/thread-context/chat';
import {
  type Client,
  type Attachment as DiscordAttachment,
  type User as DiscordUser,
  Events,
  type Message,
} from 'discord.js';
import { z } from 'zod';

/** Default, reply, and the two kinds of commands: the types that people and bots write. */
const written = new Set([0, 19, 20, 23]);

const userSchema = z.object({
  id: z.string(),
  username: z.string(),
  global_name: z.string().nullish(),
  bot: z.boolean().nullish(),
});

const attachmentSchema = z
  .object({ filename: z.string(), url: z.string(), size: z.number() })
  .transform(({ filename, url, size }): Attachment => ({ name: filename, url, size }));

const partSchema = z.object({
  content: z.string(),
  mentions: z.array(userSchema).nullish(),
  attachments: z.array(attachmentSchema).nullish(),
});

/** A message as Discord sends it, as far as a conversation needs it. @see https://docs.discord.com/developers/resources/message */
export const messagePayloadSchema = partSchema.extend({
  id: z.string(),
  channel_id: z.string(),
  type: z.number(),
  author: userSchema,
  webhook_id: z.string().nullish(),
  referenced_message: partSchema.extend({ author: userSchema }).nullish(),
  message_snapshots: z.array(z.object({ message: partSchema })).nullish(),
});

export type MessagePayload = z.infer<typeof messagePayloadSchema>;
type User = z.infer<typeof userSchema>;

export interface ReadMessageOptions {
  /** True: people go by the name they show instead of the name of their account. @see decision D9 */
  readonly displayName: boolean;
  readonly client: Client;
  readonly names: ThreadNames;
  readonly files: AttachedFiles;
}

/** Shown of a message that is replied to. */
const maxQuoteChars = 1_000;

/**
 * Reads a message of Discord's API as one of a thread: what it replies to, what it forwards, then its text, with names instead of ids.
 *
 * @param placeId the thread or channel of the conversation; default: the channel of the message
 */
export function toThreadMessage(
  payload: MessagePayload,
  options: ReadMessageOptions,
  placeId: string = payload.channel_id,
): ThreadMessage {
  const { id, type, author, webhook_id } = payload;
  const { names, files, client } = options;
  const authorName = nameOf(author, options);
  if (author.id !== client.user?.id) names.note(placeId, `@${toOneLine(authorName)}`, `<@${author.id}>`);
  const snapshots = (payload.message_snapshots ?? []).map(({ message }) => message);
  files.note(
    id,
    [payload, ...snapshots].flatMap(({ attachments }) => attachments ?? []),
  );
  return {
    id,
    authorId: author.id,
    authorName,
    authorIsBot: author.bot === true || (webhook_id ?? null) !== null,
    isSystem: !written.has(type),
    content: toContent(payload, snapshots, { ...options, placeId }),
  };
}

function nameOf({ username, global_name }: User, { displayName }: Pick<ReadMessageOptions, 'displayName'>) {
  return displayName ? (global_name ?? username) : username;
}

function toContent(
  payload: MessagePayload,
  snapshots: readonly z.infer<typeof partSchema>[],
  options: ReadMessageOptions & { readonly placeId: string },
): string {
  const { content, author, referenced_message: referenced } = payload;
  const botUserId = options.client.user?.id ?? '';
  const read = readContent(payload, options);
  // A command stays one, whatever it replies to.
  if (author.id === botUserId || isNewCommand(content, botUserId)) return read;
  const text = withoutMentions(read, botUserId).trim();
  const forwarded = snapshots.map(
    (snapshot) => `Forwarded message:\n${quote(readContent(snapshot, options))}`,
  );
  const replied =
    referenced == null || referenced.content === ''
      ? []
      : [
          `In reply to ${toOneLine(nameOf(referenced.author, options))}:\n${quote(readContent(referenced, options).slice(0, maxQuoteChars))}`,
        ];
  return [...replied, ...forwarded, text].filter((part) => part !== '').join('\n\n');
}

export function withoutMentions(text: string, userId: string): string {
  return text.replaceAll(`<@${userId}>`, '').replaceAll(`<@!${userId}>`, '');
}

function quote(text: string): string {
  return text.replace(/^/gm, '> ');
}

/** The text of a message, with names instead of ids. */
export function readContent(
  { content, mentions }: z.infer<typeof partSchema>,
  options: ReadMessageOptions & { readonly placeId: string },
): string {
  const { client, names, placeId } = options;
  const mentioned = new Map((mentions ?? []).map((user) => [user.id, nameOf(user, options)]));
  const cached = lookUpIn(client, options);
  return toReadableText(content, {
    botUserId: client.user?.id ?? '',
    lookup: {
      ...cached,
      // What a bot writes mentions no account in Discord's eyes, so that Discord sends no names with it.
      user: (id) => mentioned.get(id) ?? cached.user(id) ?? names.find(placeId, `<@${id}>`),
    },
    onName: (name, markup) => names.note(placeId, name, markup),
  });
}

function lookUpIn(client: Client, { displayName }: Pick<ReadMessageOptions, 'displayName'>): NameLookup {
  return {
    user: (id) => {
      const user = client.users.cache.get(id);
      return user === undefined ? null : displayName ? user.displayName : user.username;
    },
    role: (id) => {
      for (const { roles } of client.guilds.cache.values()) {
        const role = roles.cache.get(id);
        if (role !== undefined) return role.name;
      }
      return null;
    },
    channel: (id) => {
      const channel = client.channels.cache.get(id);
      return channel === undefined || channel.isDMBased() ? null : channel.name;
    },
  };
}

/** Messages that are kept as Discord sent them. */
const maxPayloads = 200;

/** The last messages as the gateway sent them: discord.js does not keep what a message replies to. */
export class RecentPayloads {
  readonly #payloads = new Map<string, MessagePayload>();

  constructor(client: Client) {
    client.on(Events.Raw, ({ t, d }: { t?: string | null; d?: unknown }) => {
      if (t !== 'MESSAGE_CREATE' && t !== 'MESSAGE_UPDATE') return;
      const payload = messagePayloadSchema.safeParse(d).data;
      if (payload === undefined) return;
      this.#payloads.set(payload.id, payload);
      const [oldest] = this.#payloads.keys();
      if (this.#payloads.size > maxPayloads && oldest !== undefined) this.#payloads.delete(oldest);
    });
  }

  /** The message as Discord sent it, or as far as discord.js keeps it. */
  of(message: Message): MessagePayload {
    const known = this.#payloads.get(message.id);
    if (known?.content === message.content) return known;
    return {
      id: message.id,
      channel_id: message.channelId,
      type: message.type,
      content: message.content,
      author: toUser(message.author),
      webhook_id: message.webhookId,
      mentions: message.mentions.users.map(toUser),
      attachments: message.attachments.map(toAttachment),
      message_snapshots: message.messageSnapshots.map(({ content, attachments }) => ({
        message: { content, attachments: attachments.map(toAttachment) },
      })),
    };
  }
}

function toUser({ id, username, globalName, bot }: DiscordUser): User {
  return { id, username, global_name: globalName, bot };
}

function toAttachment({ name, url, size }: DiscordAttachment): Attachment {
  return { name, url, size };
}
