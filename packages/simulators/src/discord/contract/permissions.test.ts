import { once } from 'node:events';
import { Events, type ThreadChannel } from 'discord.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStage, type Stage } from './stage.ts';

describe('permissions, as the real client finds them', () => {
  let stage: Stage;
  let simulator: Stage['simulator'];
  let client: Stage['client'];
  let general: Stage['general'];
  let hear: Stage['hear'];

  beforeEach(async () => {
    stage = await openStage();
    ({ simulator, client, general, hear } = stage);
  });
  afterEach(() => stage.close());

  const say = () => hear(() => simulator.people.say('alice', general.id, 'hello'));
  async function openThread(): Promise<ThreadChannel> {
    return (await say()).startThread({ name: 'a thread' });
  }

  it('takes and gives back posting, everywhere', async () => {
    const changed = once(client, Events.GuildRoleUpdate);
    simulator.revoke('SendMessages');
    await changed;
    await expect(general.send('hi')).rejects.toMatchObject({ code: 50013, status: 403 });
    simulator.grant('SendMessages');
    expect(await general.send('hi')).toMatchObject({ content: 'hi' });
  });

  it('takes posting in one channel, and the client knows', async () => {
    const other = simulator.addChannel('other');
    const changed = once(client, Events.ChannelUpdate);
    simulator.revoke('SendMessages', general.id);
    await changed;
    expect(general.permissionsFor(client.user)?.has('SendMessages')).toBe(false);
    await expect(general.send('hi')).rejects.toMatchObject({ code: 50013 });
    await expect(general.sendTyping()).rejects.toMatchObject({ code: 50013 });
    const channel = await client.channels.fetch(other);
    expect(channel?.isSendable() && (await channel.send('hi')).content).toBe('hi');
  });

  it('tells posting in threads from posting in channels', async () => {
    const thread = await openThread();
    simulator.revoke('SendMessagesInThreads', general.id);
    await expect(thread.send('hi')).rejects.toMatchObject({ code: 50013 });
    expect(await general.send('hi')).toMatchObject({ content: 'hi' });
    simulator.grant('SendMessagesInThreads', general.id);
    simulator.revoke('SendMessages', general.id);
    expect(await thread.send('hi')).toMatchObject({ content: 'hi' });
  });

  it('takes making threads', async () => {
    const message = await say();
    simulator.revoke('CreatePublicThreads');
    await expect(message.startThread({ name: 'a thread' })).rejects.toMatchObject({ code: 50013 });
    expect(await message.reply('here then')).toMatchObject({ content: 'here then' });
  });

  it('without history gives an empty one, no error, and no replies', async () => {
    const message = await say();
    simulator.revoke('ReadMessageHistory');
    expect((await general.messages.fetch({ limit: 10 })).size).toBe(0);
    await expect(message.fetch()).rejects.toMatchObject({ code: 50013 });
    await expect(message.reply('hi')).rejects.toMatchObject({ code: 160002 });
  });

  it('takes reactions, but not those that stand already', async () => {
    const message = await say();
    const address = { id: message.id, channel_id: general.id };
    simulator.people.react('alice', address, '👍');
    simulator.revoke('AddReactions');
    await expect(message.react('👀')).rejects.toMatchObject({ code: 50013 });
    await message.react('👍');
    expect(simulator.lastMessages(general.id)[0]?.reactions).toMatchObject([{ count: 2, me: true }]);
  });

  it('hides a channel with its threads', async () => {
    const thread = await openThread();
    const heard: string[] = [];
    client.on(Events.MessageCreate, ({ content }) => heard.push(content));
    simulator.revoke('ViewChannel', general.id);
    simulator.people.say('alice', general.id, 'between us');
    simulator.people.say('alice', thread.id, 'and here');
    await expect(thread.send('hi')).rejects.toMatchObject({ code: 50001, status: 403 });
    await expect(client.channels.fetch(general.id, { force: true })).rejects.toMatchObject({ code: 50001 });
    simulator.grant('ViewChannel', general.id);
    await hear(() => simulator.people.say('alice', general.id, 'for all'));
    expect(heard).toEqual(['for all']);
  });

  it('calls everyone only when the bot may', async () => {
    simulator.revoke('MentionEveryone');
    await general.send('@everyone');
    expect(simulator.lastMessages(general.id)).toMatchObject([{ mention_everyone: false }]);
  });

  it('lets the bot change and delete what is its own', async () => {
    const message = await say();
    await expect(message.edit('mine')).rejects.toMatchObject({ code: 50005 });
    await expect(message.delete()).rejects.toMatchObject({ code: 50013 });
    simulator.grant('ManageMessages');
    await message.delete();
    expect(simulator.lastMessages(general.id)).toEqual([]);
  });
});
