import { z } from 'zod';
import { findMentions, withReplied } from '../actions/find-mentions.ts';
import { botMay } from '../permissions/bot-may.ts';
import type { Mentions, MessageRecord } from '../state/message-record.ts';
import type { ChannelRecord } from '../state/records.ts';
import type { World } from '../state/world.ts';

export const allowedMentionsSchema = z.object({
  parse: z.array(z.enum(['roles', 'users', 'everyone'])).nullish(),
  users: z.array(z.string()).nullish(),
  roles: z.array(z.string()).nullish(),
  replied_user: z.boolean().nullish(),
});

type AllowedMentions = z.infer<typeof allowedMentionsSchema>;

export interface MentionRules {
  readonly channel: ChannelRecord;
  /** Null: whatever the text says is allowed. */
  readonly allowed: AllowedMentions | null;
  readonly repliedTo: MessageRecord | null;
}

/**
 * Whom a message of the bot really calls.
 *
 * @see https://docs.discord.com/developers/resources/message#allowed-mentions-object
 */
export function allowMentions(
  world: World,
  content: string,
  { channel, allowed, repliedTo }: MentionRules,
): Mentions {
  const found = findMentions(world, content);
  const mayCallAll = botMay(world, channel, 'MentionEveryone');
  const mentions: Mentions = {
    users: found.users.filter(({ id }) => isAllowed(allowed, 'users', id)),
    roles: found.roles.filter(
      (id) => isAllowed(allowed, 'roles', id) && (mayCallAll || world.roles.get(id)?.mentionable),
    ),
    everyone: found.everyone && mayCallAll && (allowed === null || includes(allowed, 'everyone')),
  };
  const callsReplied = allowed === null || allowed.replied_user === true;
  return callsReplied ? withReplied(mentions, repliedTo?.author) : mentions;
}

function isAllowed(allowed: AllowedMentions | null, kind: 'users' | 'roles', id: string): boolean {
  return allowed === null || includes(allowed, kind) || (allowed[kind] ?? []).includes(id);
}

function includes({ parse }: AllowedMentions, kind: 'users' | 'roles' | 'everyone'): boolean {
  return (parse ?? []).includes(kind);
}
