import { setTimeout as pause } from 'node:timers/promises';
import type { DiscordSimulator } from '@agent/simulators/discord';
import type { SeededRandom } from '@agent/simulators/trials';
import type { Asked, EndMessage } from './check-answers.ts';

/** People of a trial, who ask, correct and take back. */
export interface Talk {
  readonly asked: readonly Asked[];
  /** Says so many things, one after the other. */
  readonly go: (count: number) => Promise<void>;
  /** Somebody says one more thing in each place that cannot be listed. */
  readonly sayGoodbye: () => void;
  /** All that stands on Discord. */
  readonly read: () => readonly EndMessage[];
  /** Tells whether the bot can list the place where the message of that number stands: not so for direct messages. */
  readonly isListed: (number: number) => boolean;
}

const names = ['alice', 'bob', 'carol'] as const;

/** Lets people talk where the bot hears them: in a channel, in its threads, in private. */
export function createTalk(discord: DiscordSimulator, random: SeededRandom): Talk {
  const asked: { -readonly [Key in keyof Asked]: Asked[Key] }[] = [];
  const direct = new Map<string, string>();
  const { people, generalId, bot } = discord;
  const toText = (number: number): string =>
    `Q${number} wants ${random.isLucky(30) ? random.between(60, 150) : random.between(1, 8)}`;
  const note = (id: string, channelId: string): void =>
    void asked.push({ id, channelId, number: asked.length, isDeleted: false });

  const mention = (): void => {
    const text = toText(asked.length);
    if (random.isLucky(20)) {
      const message = people.say(random.pick(names), generalId, text);
      people.edit(message, `<@${bot.id}> ${text}`);
      note(message.id, generalId);
    } else note(people.say(random.pick(names), generalId, text, { mention: true }).id, generalId);
  };
  const goOn = (): void => {
    const threads = discord.threads();
    const thread = threads[random.between(0, threads.length - 1)];
    if (thread === undefined) mention();
    else note(people.say(random.pick(names), thread.id, toText(asked.length)).id, thread.id);
  };
  const whisper = (): void => {
    const name = random.pick(names);
    const channelId = direct.get(name) ?? people.openDirect(name);
    direct.set(name, channelId);
    note(people.say(name, channelId, toText(asked.length)).id, channelId);
  };
  const change = (): void => {
    const last = asked.at(-1);
    if (last === undefined || last.isDeleted) return;
    const address = { id: last.id, channel_id: last.channelId };
    if (random.isLucky(60)) {
      const start = last.channelId === generalId ? `<@${bot.id}> ` : '';
      people.edit(address, `${start}Q${last.number} wants ${random.between(1, 8)} corrected`);
    } else {
      people.delete(address);
      last.isDeleted = true;
    }
  };
  return {
    asked,
    go: async (count) => {
      for (let said = 0; said < count; said += 1) {
        const luck = random.between(1, 100);
        if (luck <= 35) mention();
        else if (luck <= 75) goOn();
        else if (luck <= 88) whisper();
        else change();
        await pause(random.between(0, 500));
      }
    },
    sayGoodbye: () => {
      for (const [name, channelId] of direct)
        note(people.say(name, channelId, `Q${asked.length} wants 1`).id, channelId);
    },
    isListed: (number) => ![...direct.values()].includes(asked[number]?.channelId ?? ''),
    read: () => {
      const threads = new Set(discord.threads().map(({ id }) => id));
      const places = [generalId, ...threads, ...direct.values()];
      return places.flatMap((channelId) =>
        discord.lastMessages(channelId).map(
          (message): EndMessage => ({
            id: message.id,
            channelId,
            content: message.content.replace(/[\u200b-\u200d\u2060]/g, ''),
            isOwn: message.author.id === bot.id,
            repliesTo: message.message_reference?.message_id ?? null,
            isRefused: message.reactions?.some(({ emoji, me }) => emoji.name === '🚫' && me) ?? false,
            hasThread: threads.has(message.id),
          }),
        ),
      );
    },
  };
}
