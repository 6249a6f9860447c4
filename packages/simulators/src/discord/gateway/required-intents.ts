import { GatewayDispatchEvents, GatewayIntentBits } from 'discord-api-types/v10';
import type { Dispatch } from '../state/dispatch.ts';

const GUILD = {
  messages: GatewayIntentBits.GuildMessages,
  reactions: GatewayIntentBits.GuildMessageReactions,
  typing: GatewayIntentBits.GuildMessageTyping,
} as const;
const DIRECT = {
  messages: GatewayIntentBits.DirectMessages,
  reactions: GatewayIntentBits.DirectMessageReactions,
  typing: GatewayIntentBits.DirectMessageTyping,
} as const;

/**
 * What a session must have asked for to hear of this.
 *
 * @see https://docs.discord.com/developers/events/gateway#list-of-intents
 */
export function requiredIntent({ t }: Dispatch, isDirect: boolean): GatewayIntentBits {
  const intents = isDirect ? DIRECT : GUILD;
  switch (t) {
    case GatewayDispatchEvents.MessageCreate:
    case GatewayDispatchEvents.MessageUpdate:
    case GatewayDispatchEvents.MessageDelete:
      return intents.messages;
    case GatewayDispatchEvents.MessageReactionAdd:
      return intents.reactions;
    case GatewayDispatchEvents.TypingStart:
      return intents.typing;
    default:
      return GatewayIntentBits.Guilds;
  }
}

const PRIVILEGED = {
  messageContent: GatewayIntentBits.MessageContent,
  guildMembers: GatewayIntentBits.GuildMembers,
  guildPresences: GatewayIntentBits.GuildPresences,
} as const;

/** Checks whether a session asks for something that is not switched on in the developer portal. */
export function asksTooMuch(
  intents: number,
  granted: { readonly [Name in keyof typeof PRIVILEGED]: boolean },
): boolean {
  return Object.entries(PRIVILEGED).some(
    ([name, bit]) => (intents & bit) !== 0 && !granted[name as keyof typeof PRIVILEGED],
  );
}

const KNOWN = Object.values(GatewayIntentBits)
  .filter((bit) => typeof bit === 'number')
  .reduce((all, bit) => all | bit, 0);

export function isKnownIntents(intents: number): boolean {
  return (intents & ~KNOWN) === 0;
}
