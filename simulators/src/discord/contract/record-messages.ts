import { once } from 'node:events';
import { type Client, Events } from 'discord.js';

/** What a client hears from now on. */
export interface MessageRecording {
  readonly heard: readonly string[];
  /** Waits until so many messages were heard. */
  readonly reach: (count: number) => Promise<void>;
}

export function recordMessages(client: Client): MessageRecording {
  const heard: string[] = [];
  client.on(Events.MessageCreate, ({ content }) => heard.push(content));
  return {
    heard,
    reach: async (count) => {
      while (heard.length < count) await once(client, Events.MessageCreate);
    },
  };
}
