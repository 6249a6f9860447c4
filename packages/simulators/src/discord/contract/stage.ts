import { once } from 'node:events';
import {
  ChannelType,
  type Client,
  type ClientOptions,
  Events,
  type Message,
  type TextChannel,
} from 'discord.js';
import type { DiscordSimulatorOptions } from '../discord-simulator.ts';
import { type DiscordSimulator, startDiscordSimulator } from '../index.ts';
import { logIn } from './log-in.ts';

/** A simulator and the real client, logged in. */
export interface Stage {
  readonly simulator: DiscordSimulator;
  readonly client: Client<true>;
  readonly general: TextChannel;
  /** Does something and gives the message that the client hears next. */
  readonly hear: (say: () => void) => Promise<Message>;
  readonly close: () => Promise<void>;
}

export async function openStage(
  options: DiscordSimulatorOptions = {},
  clientOptions: Partial<ClientOptions> = {},
): Promise<Stage> {
  const simulator = await startDiscordSimulator(options);
  const client = await logIn(simulator, clientOptions);
  const general = await client.channels.fetch(simulator.generalId);
  if (general?.type !== ChannelType.GuildText) throw new Error('general is no text channel');
  return {
    simulator,
    client,
    general,
    hear: async (say) => {
      const heard = once(client, Events.MessageCreate);
      say();
      const [message] = await heard;
      return message;
    },
    close: async () => {
      await client.destroy();
      await simulator.close();
    },
  };
}
