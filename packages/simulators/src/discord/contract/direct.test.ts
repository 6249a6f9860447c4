import { ChannelType } from 'discord.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStage, type Stage } from './stage.ts';

describe('direct messages, as the real client finds them', () => {
  let stage: Stage;

  beforeEach(async () => {
    stage = await openStage();
  });
  afterEach(() => stage.close());

  it('are heard without a guild and answered in place', async () => {
    const { simulator, hear } = stage;
    const direct = simulator.people.openDirect('alice');
    const message = await hear(() => simulator.people.say('alice', direct, 'psst'));
    expect(message).toMatchObject({ guildId: null, content: 'psst', channelId: direct });
    await message.reply('yes?');
    expect(simulator.lastMessages(direct)).toMatchObject([
      { content: 'psst' },
      { content: 'yes?', type: 19, referenced_message: { content: 'psst' } },
    ]);
  });

  it('are opened once to each person', async () => {
    const { simulator, client } = stage;
    const alice = await client.users.fetch(simulator.people.user('alice').id);
    const channel = await alice.createDM(true);
    expect(channel.type).toBe(ChannelType.DM);
    expect(channel.id).toBe(simulator.people.openDirect('alice'));
    await alice.send('hello');
    expect(simulator.lastMessages(channel.id)).toMatchObject([{ content: 'hello' }]);
  });

  it('are refused by those who take none', async () => {
    const { simulator, client } = stage;
    simulator.people.closeDirect('alice');
    const alice = await client.users.fetch(simulator.people.user('alice').id);
    await expect(alice.send('hello')).rejects.toMatchObject({ code: 50007, status: 403 });
    await expect(client.users.fetch('1')).rejects.toMatchObject({ code: 10013 });
  });
});
