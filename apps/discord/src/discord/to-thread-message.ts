import type { ThreadMessage } from '@agent/thread-context';
import { z } from 'zod';

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

export interface ThreadMessageOptions {
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
