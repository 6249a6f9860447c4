import { Client, type ClientOptions, Events, GatewayIntentBits, Partials } from 'discord.js';
import type { DiscordSimulator } from '../discord-simulator.ts';

/** The intents that an answering bot needs, and those that let a test see the rest. */
const INTENTS = [
  GatewayIntentBits.Guilds,
  GatewayIntentBits.GuildMessages,
  GatewayIntentBits.GuildMessageReactions,
  GatewayIntentBits.GuildMessageTyping,
  GatewayIntentBits.DirectMessages,
  GatewayIntentBits.MessageContent,
];

/** The real client, pointed at a simulator, ready to be logged in. */
export function createClient(
  { apiUrl }: DiscordSimulator,
  { intents = INTENTS, rest = {}, ws = {} }: Partial<ClientOptions> = {},
): Client {
  return new Client({
    intents,
    partials: [Partials.Channel, Partials.Message],
    rest: { api: apiUrl, timeout: 5_000, retries: 1, ...rest },
    // A login within five seconds of the last one is nothing that a loopback gateway minds.
    ws: { buildIdentifyThrottler: async () => ({ waitForIdentify: async () => {} }), ...ws },
    waitGuildTimeout: 1_000,
    closeTimeout: 100,
  });
}

/** The same, logged in and ready. */
export async function logIn(
  simulator: DiscordSimulator,
  options: Partial<ClientOptions> = {},
): Promise<Client<true>> {
  const client = createClient(simulator, options);
  const ready = new Promise<Client<true>>((resolve) => client.once(Events.ClientReady, resolve));
  await client.login(simulator.token);
  return ready;
}
