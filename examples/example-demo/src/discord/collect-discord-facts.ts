import type { DiscordFacts } from './check-discord-promises.ts';
import type { Stage } from './open-stage.ts';

/** Looks at the simulated Discord and the model server, not at what the bot says of itself. */
export function collectDiscordFacts(
  { discord, lmStudio }: Stage,
  exitCodes: readonly number[],
): DiscordFacts {
  const threads = discord.threads();
  const [thread] = threads;
  const messages = thread === undefined ? [] : discord.lastMessages(thread.id);
  const ofChannel = discord.lastMessages(discord.generalId);
  return {
    exitCodes,
    threads: threads.map(({ id, name }) => ({
      name: name ?? '',
      isFromMention: ofChannel.some((message) => message.id === id && mentions(message, discord.bot.id)),
    })),
    // The first one is Discord's own pointer to the message that the thread was made from.
    messages: messages
      .filter(({ type }) => type === 0 || type === 19)
      .map((message) => ({
        byBot: message.author.id === discord.bot.id,
        text: message.content,
        mentionsBot: mentions(message, discord.bot.id),
      })),
    requests: lmStudio.requests.flatMap(({ input, body }) =>
      input === null
        ? []
        : [{ input, namesEarlierResponse: JSON.stringify(body).includes('previous_response_id') }],
    ),
  };
}

function mentions(message: { readonly mentions: readonly { readonly id: string }[] }, id: string): boolean {
  return message.mentions.some((user) => user.id === id);
}
