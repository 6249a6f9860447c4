import {
  Client,
  type ClientOptions,
  GatewayIntentBits,
  Options,
  Partials,
  type RESTOptions,
} from 'discord.js';

/** Every message brings its author; those of the last ones are kept. */
const keptPeople = 200;

/** What the bot may do is computed from what it is. */
function isSelf({ id, client }: { readonly id: string; readonly client: Client<true> }): boolean {
  return id === client.user?.id;
}

export interface CreateClientOptions {
  /** `https://discord.com/api`. */
  readonly apiUrl: string;
  /** How the library itself behaves, e.g. how long it waits. Default: as it does. */
  readonly library?: Partial<ClientOptions> | undefined;
  /** What sends requests. Default: the library itself. */
  readonly makeRequest?: RESTOptions['makeRequest'] | undefined;
}

/**
 * The client with what the bot needs and no more. Nothing that somebody wrote stays in its memory, a message that is
 * sent again after a failure appears once, and nobody is called by what a model wrote.
 */
export function createClient({ apiUrl, library = {}, makeRequest }: CreateClientOptions): Client {
  return new Client({
    intents: [
      GatewayIntentBits.Guilds,
      GatewayIntentBits.GuildMessages,
      GatewayIntentBits.DirectMessages,
      GatewayIntentBits.MessageContent,
    ],
    // Direct messages come in channels that nobody told of before; what is deleted is not in memory.
    partials: [Partials.Channel, Partials.Message],
    allowedMentions: { parse: [] },
    enforceNonce: true,
    ...library,
    rest: { ...library.rest, api: apiUrl, ...(makeRequest === undefined ? {} : { makeRequest }) },
    makeCache: Options.cacheWithLimits({
      ...Options.DefaultMakeCacheSettings,
      MessageManager: 0,
      ReactionManager: 0,
      ReactionUserManager: 0,
      PresenceManager: 0,
      UserManager: { maxSize: keptPeople, keepOverLimit: isSelf },
      GuildMemberManager: { maxSize: keptPeople, keepOverLimit: isSelf },
      GuildEmojiManager: 0,
      GuildStickerManager: 0,
    }),
  });
}
