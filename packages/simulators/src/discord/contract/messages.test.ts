import { once } from 'node:events';
import { DiscordAPIError, Events } from 'discord.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStage, type Stage } from './stage.ts';

describe('messages, as the real client finds them', () => {
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

  it('hears who said what and whom it calls', async () => {
    const message = await hear(() =>
      simulator.people.say('alice', general.id, 'what is the plan?', { mention: true }),
    );
    expect(message.content).toBe(`<@${client.user.id}> what is the plan?`);
    expect(message.author.username).toBe('alice');
    expect(message.mentions.users.map(({ username }) => username)).toEqual(['suzume']);
    expect(message.inGuild()).toBe(true);
  });

  it('tells mentions of everyone, of roles and by replies from mentions of the bot', async () => {
    const role = simulator.addRole('helpers');
    const own = await general.send('an answer');
    const everyone = await hear(() => simulator.people.say('alice', general.id, '@everyone look'));
    const helpers = await hear(() => simulator.people.say('alice', general.id, `<@&${role}> look`));
    const reply = await hear(() => simulator.people.say('alice', general.id, 'thanks', { replyTo: own.id }));
    const silent = await hear(() =>
      simulator.people.say('alice', general.id, 'ok', { replyTo: own.id, pingReplied: false }),
    );
    const quoted = await hear(() => simulator.people.say('alice', general.id, `\`<@${client.user.id}>\``));
    expect(everyone.mentions).toMatchObject({ everyone: true });
    expect(everyone.mentions.users.size).toBe(0);
    expect([...helpers.mentions.roles.keys()]).toEqual([role]);
    expect(reply.mentions.users.has(client.user.id)).toBe(true);
    expect(reply.mentions.repliedUser?.id).toBe(client.user.id);
    expect(reply.mentions.has(client.user, { ignoreRepliedUser: true })).toBe(false);
    expect(silent.mentions.users.size).toBe(0);
    expect(quoted.mentions.users.size).toBe(0);
  });

  it('fetches history newest first, a hundred at a time', async () => {
    const ids = simulator.people.fill(general.id, 250);
    const first = await general.messages.fetch({ limit: 100 });
    const second = await general.messages.fetch({ limit: 100, before: first.lastKey() ?? '' });
    const third = await general.messages.fetch({ limit: 100, before: second.lastKey() ?? '' });
    expect([...first.keys(), ...second.keys(), ...third.keys()]).toEqual([...ids].reverse());
    const after = await general.messages.fetch({ limit: 3, after: ids[9] ?? '' });
    expect([...after.keys()]).toEqual([ids[12], ids[11], ids[10]]);
    await expect(general.messages.fetch({ limit: 101 })).rejects.toThrow(/between 1 and 100/);
    expect(simulator.countRequests('GET /channels/:channel/messages')).toBe(5);
  });

  it('posts, edits, reacts, types and deletes', async () => {
    await general.sendTyping();
    const message = await general.send('thinking');
    await message.edit('done');
    await message.react('👀');
    const [seen] = simulator.lastMessages(general.id);
    expect(seen).toMatchObject({
      content: 'done',
      author: { username: 'suzume' },
      edited_timestamp: expect.any(String),
    });
    expect(seen?.reactions).toMatchObject([{ count: 1, me: true, emoji: { name: '👀' } }]);
    await message.delete();
    expect(simulator.lastMessages(general.id)).toEqual([]);
    await expect(message.fetch()).rejects.toMatchObject({ code: 10008, status: 404 });
    expect(simulator.requests.map(({ route, status }) => `${route} ${status}`)).toEqual([
      'GET /gateway/bot 200',
      'POST /channels/:channel/typing 204',
      'POST /channels/:channel/messages 200',
      'PATCH /channels/:channel/messages/:message 200',
      'PUT /channels/:channel/messages/:message/reactions/:emoji/@me 204',
      'DELETE /channels/:channel/messages/:message 204',
      'GET /channels/:channel/messages/:message 404',
    ]);
  });

  it('calls nobody whom allowedMentions leaves out', async () => {
    const alice = simulator.people.user('alice');
    const question = simulator.people.say('alice', general.id, 'well?');
    const content = `<@${alice.id}> @everyone`;
    await general.send({ content, allowedMentions: { parse: [] } });
    await general.send({ content });
    await general.send({
      content: 'so',
      reply: { messageReference: question.id },
      allowedMentions: { parse: [] },
    });
    await general.send({ content: 'so', reply: { messageReference: question.id } });
    const calls = simulator
      .lastMessages(general.id, 4)
      .map(({ mentions, mention_everyone }) => [mentions.map(({ username }) => username), mention_everyone]);
    expect(calls).toEqual([
      [[], false],
      [['alice'], true],
      [[], false],
      [['alice'], false],
    ]);
  });

  it('may say two thousand characters and no more', async () => {
    await general.send('x'.repeat(2000));
    const refused = await general.send('x'.repeat(2001)).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(DiscordAPIError);
    expect(refused).toMatchObject({ code: 50035, status: 400 });
    await expect(general.send(' \n ')).rejects.toMatchObject({ code: 50006 });
    expect(simulator.lastMessages(general.id)).toHaveLength(1);
  });

  it('says a thing once under an enforced nonce', async () => {
    const one = await general.send({ content: 'once', nonce: '7', enforceNonce: true });
    const again = await general.send({ content: 'once', nonce: '7', enforceNonce: true });
    expect(again.id).toBe(one.id);
    await general.send({ content: 'twice', nonce: '8' });
    await general.send({ content: 'twice', nonce: '8' });
    expect(simulator.lastMessages(general.id)).toHaveLength(3);
  });

  it('forgets a nonce after some minutes, and knows one whose message was deleted', async () => {
    const clock = { now: Date.UTC(2026, 0, 5) };
    const stage = await openStage({ now: () => clock.now });
    const send = () => stage.general.send({ content: 'once', nonce: '7', enforceNonce: true });
    const first = await send();
    clock.now += 4 * 60_000;
    expect((await send()).id).toBe(first.id);
    stage.simulator.people.delete({ id: first.id, channel_id: stage.general.id });
    await expect(send()).rejects.toMatchObject({ code: 10_008 });
    clock.now += 2 * 60_000;
    expect((await send()).id).not.toBe(first.id);
    await stage.close();
  });

  it('hears webhooks, other bots and Discord itself as what they are', async () => {
    const { people } = simulator;
    people.addBot('other-bot');
    const webhook = await hear(() => people.postAsWebhook('alerts', general.id, 'disk full'));
    const bot = await hear(() => people.say('other-bot', general.id, 'beep'));
    const joined = await hear(() => people.postSystemMessage('carol', general.id, 7));
    expect(webhook).toMatchObject({ webhookId: expect.any(String), author: { bot: true }, member: null });
    expect(bot).toMatchObject({ webhookId: null, author: { bot: true }, system: false });
    expect(joined).toMatchObject({ system: true, content: '' });
  });

  it('hears what is edited and deleted', async () => {
    const message = await hear(() => simulator.people.say('alice', general.id, 'one'));
    const address = { id: message.id, channel_id: general.id };
    const edited = once(client, Events.MessageUpdate);
    simulator.people.edit(address, 'two');
    expect((await edited)[1]).toMatchObject({ id: message.id, content: 'two' });
    const deleted = once(client, Events.MessageDelete);
    simulator.people.delete(address);
    expect((await deleted)[0]).toMatchObject({ id: message.id });
  });
});
