import { once } from 'node:events';
import { ChannelType, Events, MessageType, Routes, type ThreadChannel } from 'discord.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { logIn } from './log-in.ts';
import { openStage, type Stage } from './stage.ts';

describe('threads, as the real client finds them', () => {
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

  const startByRest = (channelId: string, messageId: string) =>
    client.rest.post(Routes.threads(channelId, messageId), { body: { name: 'a thread' } });

  async function openThread(): Promise<ThreadChannel> {
    const question = await hear(() => simulator.people.say('alice', general.id, 'what now?'));
    return question.startThread({ name: 'suzume: what now?' });
  }

  it('takes the id of the message it is made from, whose text stays in the channel', async () => {
    const created = once(client, Events.ThreadCreate);
    const thread = await openThread();
    const [first] = simulator.lastMessages(general.id);
    expect(thread).toMatchObject({
      id: first?.id,
      parentId: general.id,
      ownerId: client.user.id,
      type: ChannelType.PublicThread,
      name: 'suzume: what now?',
    });
    expect((await created)[1]).toBe(true);
    expect((await general.messages.fetch({ message: thread.id, force: true })).hasThread).toBe(true);
    const [starter] = (await thread.messages.fetch({ limit: 100 })).values();
    expect(starter).toMatchObject({ type: MessageType.ThreadStarterMessage, system: true, content: '' });
    expect(starter?.reference).toMatchObject({ channelId: general.id, messageId: thread.id });
    expect(await thread.fetchStarterMessage()).toMatchObject({ id: thread.id, content: 'what now?' });
  });

  it('tells what happens in the order thread, message, first message', async () => {
    const events: string[] = [];
    client.on(Events.ThreadCreate, () => events.push('thread'));
    client.on(Events.MessageUpdate, () => events.push('message'));
    client.on(Events.MessageCreate, ({ type }) => events.push(MessageType[type]));
    const thread = await openThread();
    await hear(() => simulator.people.say('alice', thread.id, 'hm'));
    expect(events).toEqual(['Default', 'thread', 'message', 'ThreadStarterMessage', 'Default']);
  });

  it('is one to a message', async () => {
    const thread = await openThread();
    await expect(startByRest(general.id, thread.id)).rejects.toMatchObject({ code: 160004, status: 400 });
  });

  it('is refused in direct messages, threads, voice channels and of notices', async () => {
    const { people } = simulator;
    const thread = await openThread();
    const direct = people.openDirect('alice');
    const voice = simulator.addChannel('talk', 'voice');
    const codes = [direct, thread.id, voice].map(async (channelId) => {
      const { id } = people.say('alice', channelId, 'here?');
      return startByRest(channelId, id).catch(({ code }) => code);
    });
    expect(await Promise.all(codes)).toEqual([50003, 50024, 50024]);
    const notice = people.postSystemMessage('bob', general.id, MessageType.UserJoin);
    await expect(startByRest(general.id, notice.id)).rejects.toMatchObject({ code: 50021 });
    await expect(startByRest(general.id, '1')).rejects.toMatchObject({ code: 10008 });
  });

  it('has a name of one to a hundred characters', async () => {
    const { id } = simulator.people.say('alice', general.id, 'hi');
    for (const name of ['', 'x'.repeat(101)]) {
      const start = client.rest.post(Routes.threads(general.id, id), { body: { name } });
      await expect(start).rejects.toMatchObject({ code: 50035 });
    }
    expect(simulator.threads()).toEqual([]);
  });

  it('belongs to whoever made it; one made of nothing is announced in the channel', async () => {
    const notice = await hear(() => simulator.people.startThread('alice', general.id, { title: 'plans' }));
    expect(notice).toMatchObject({ type: MessageType.ThreadCreated, channelId: general.id });
    const [thread] = [...client.channels.cache.values()].filter((channel) => channel.isThread());
    expect(thread).toMatchObject({ name: 'plans', ownerId: simulator.people.user('alice').id });
  });

  it('wakes up when somebody posts', async () => {
    const thread = await openThread();
    await thread.setArchived(true);
    await expect(thread.setName('other')).rejects.toMatchObject({ code: 50083 });
    const woken = once(client, Events.ThreadUpdate);
    await thread.send('still here');
    const [before, after] = await woken;
    expect([before.archived, after.archived]).toEqual([true, false]);
    expect(simulator.channel(thread.id)).toMatchObject({ thread_metadata: { archived: false } });
  });

  it('is deleted with its messages by a bot that manages threads, and by no other', async () => {
    const thread = await openThread();
    await expect(thread.delete()).rejects.toMatchObject({ code: 50013, status: 403 });
    simulator.grant('ManageThreads');
    const deleted = once(client, Events.ThreadDelete);
    await thread.delete();
    expect((await deleted)[0]).toMatchObject({ id: thread.id });
    expect(simulator.threads()).toEqual([]);
    await expect(thread.send('too late')).rejects.toMatchObject({ code: 10003, status: 404 });
  });

  it('locked, is for those alone who manage threads', async () => {
    const thread = await openThread();
    simulator.people.changeThread(thread.id, { locked: true });
    await expect(thread.send('open and locked')).rejects.toMatchObject({ code: 50013, status: 403 });
    simulator.people.changeThread(thread.id, { archived: true });
    await expect(thread.send('archived and locked')).rejects.toMatchObject({ code: 50083, status: 403 });
    simulator.grant('ManageThreads');
    expect(await thread.send('now')).toMatchObject({ content: 'now' });
  });

  it('takes no edits while it is archived', async () => {
    const thread = await openThread();
    const message = await thread.send('one');
    simulator.people.changeThread(thread.id, { archived: true });
    await expect(message.edit('two')).rejects.toMatchObject({ code: 50083 });
    await expect(message.react('👀')).rejects.toMatchObject({ code: 50083 });
  });

  it('stays when its first message is deleted', async () => {
    const thread = await openThread();
    simulator.people.delete({ id: thread.id, channel_id: general.id });
    expect(simulator.lastMessages(thread.id)).toMatchObject([{ type: 21, referenced_message: null }]);
    await thread.send('anybody?');
    await expect(general.messages.fetch({ message: thread.id, force: true })).rejects.toMatchObject({
      code: 10008,
    });
  });

  it('in a channel of announcements is a thread of announcements', async () => {
    const news = simulator.addChannel('news', 'announcement');
    const { id } = simulator.people.say('alice', news, 'released');
    expect(await startByRest(news, id)).toMatchObject({ type: ChannelType.AnnouncementThread });
  });

  it('may be a thousand messages long at once, of which nobody hears', async () => {
    const thread = await openThread();
    let heard = 0;
    client.on(Events.MessageCreate, () => {
      heard += 1;
    });
    const ids = simulator.people.fill(thread.id, 1000, {
      text: (index) => `line ${index}`,
      author: (index) => (index % 2 === 0 ? 'alice' : 'suzume'),
    });
    const page = await thread.messages.fetch({ limit: 100 });
    expect(page.first()).toMatchObject({ id: ids[999], content: 'line 999', author: { id: client.user.id } });
    expect(page.size).toBe(100);
    expect(heard).toBe(0);
  });

  it('is known to a client that comes later, unless it is archived', async () => {
    const thread = await openThread();
    const asleep = simulator.people.startThread('alice', general.id, { title: 'old' });
    simulator.people.changeThread(asleep, { archived: true });
    const later = await logIn(simulator);
    expect(later.channels.cache.has(thread.id)).toBe(true);
    expect(later.channels.cache.has(asleep)).toBe(false);
    expect(await later.channels.fetch(asleep)).toMatchObject({ archived: true });
    await later.destroy();
  });
});
