import { once } from 'node:events';
import { type Client, Events, GatewayIntentBits } from 'discord.js';
import { afterEach, describe, expect, it } from 'vitest';
import { type DiscordSimulator, startDiscordSimulator } from '../index.ts';
import { createClient, logIn } from './log-in.ts';

describe('the gateway, as the real client finds it', () => {
  const open: (() => Promise<unknown>)[] = [];

  afterEach(async () => {
    for (const close of open.splice(0).reverse()) await close();
  });

  async function start(options: Parameters<typeof startDiscordSimulator>[0] = {}): Promise<DiscordSimulator> {
    const simulator = await startDiscordSimulator(options);
    open.push(simulator.close);
    return simulator;
  }

  async function connect(simulator: DiscordSimulator, intents?: GatewayIntentBits[]): Promise<Client<true>> {
    const client = await logIn(simulator, intents === undefined ? {} : { intents });
    open.push(() => client.destroy());
    return client;
  }

  const kinds = ({ gatewayLog }: DiscordSimulator) => gatewayLog.map(({ kind }) => kind);

  it.each<[string, (simulator: DiscordSimulator) => void]>([
    ['closed with a code', (simulator) => simulator.dropGateway()],
    ['broken without a word', (simulator) => simulator.dropGateway(null)],
    ['asked to come back', (simulator) => simulator.askToReconnect()],
  ])('loses nothing while a connection is %s', async (_, interrupt) => {
    const simulator = await start();
    const client = await connect(simulator);
    const { heard, reach } = recordMessages(client);
    simulator.people.say('alice', simulator.generalId, 'before');
    await reach(1);
    const resumed = once(client, Events.ShardResume);
    interrupt(simulator);
    simulator.people.say('alice', simulator.generalId, 'meanwhile');
    simulator.people.say('bob', simulator.generalId, 'and this');
    await resumed;
    simulator.people.say('alice', simulator.generalId, 'after');
    await reach(4);
    expect(heard).toEqual(['before', 'meanwhile', 'and this', 'after']);
    expect(kinds(simulator).filter((kind) => kind === 'identify')).toHaveLength(1);
    expect(simulator.gatewayLog).toContainEqual({
      kind: 'resume',
      sequence: expect.any(Number),
      isAccepted: true,
    });
  });

  it('lets in anew whose session is forgotten; what was said meanwhile is not told again', async () => {
    const simulator = await start();
    const client = await connect(simulator);
    const { heard, reach } = recordMessages(client);
    const ready = once(client, Events.ShardReady);
    simulator.invalidateSessions();
    simulator.dropGateway();
    simulator.people.say('alice', simulator.generalId, 'meanwhile');
    await ready;
    simulator.people.say('alice', simulator.generalId, 'after');
    await reach(1);
    expect(heard).toEqual(['after']);
    expect(kinds(simulator).filter((kind) => kind === 'identify')).toHaveLength(2);
  });

  it('takes heartbeats; a client that gets no answer to one comes back', async () => {
    const simulator = await start({ heartbeatIntervalMs: 60 });
    const client = await connect(simulator);
    await simulator.until(() => kinds(simulator).includes('heartbeat'));
    const resumed = once(client, Events.ShardResume);
    simulator.setGatewayDeaf(true);
    await simulator.until(() => kinds(simulator).includes('close'));
    simulator.setGatewayDeaf(false);
    await resumed;
  });

  it('turns away a wrong token', async () => {
    const simulator = await start();
    const client = createClient(simulator);
    open.push(() => client.destroy());
    await expect(client.login('wrong.token.here')).rejects.toMatchObject({ code: 'TokenInvalid' });
    expect(simulator.gatewayLog).toEqual([]);
  });

  it('turns away a token that is wrong only at the gateway', async () => {
    const simulator = await start();
    const socket = new WebSocket(`${simulator.apiUrl.replace('http', 'ws').replace('/api', '')}/gateway`);
    const closed = once(socket, 'close');
    await once(socket, 'message');
    socket.send(JSON.stringify({ op: 2, d: { token: 'wrong', intents: 0, properties: {} } }));
    expect((await closed)[0]).toMatchObject({ code: 4004 });
  });

  it('turns away who asks for an intent that is not switched on', async () => {
    const simulator = await start({ privileged: { messageContent: false } });
    const client = createClient(simulator);
    open.push(() => client.destroy());
    await expect(client.login(simulator.token)).rejects.toThrow(/disallowed intents/i);
    await simulator.until(() => simulator.gatewayLog.find((event) => event.kind === 'close'));
    expect(simulator.gatewayLog.at(-1)).toEqual({ kind: 'close', code: 4014 });
  });

  it('gives no text to who does not ask for it, but of what calls the bot or is its own', async () => {
    const simulator = await start();
    const client = await connect(simulator, [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages]);
    const { heard, reach } = recordMessages(client);
    simulator.people.say('alice', simulator.generalId, 'secret');
    simulator.people.say('alice', simulator.generalId, 'hello', { mention: true });
    const channel = await client.channels.fetch(simulator.generalId);
    if (channel?.isSendable()) await channel.send('mine');
    await reach(3);
    expect(heard).toEqual(['', `<@${client.user.id}> hello`, 'mine']);
  });

  it('gives no text over REST either while it is not switched on', async () => {
    const simulator = await start({ privileged: { messageContent: false } });
    const client = await connect(simulator, [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages]);
    simulator.people.fill(simulator.generalId, 1, { text: () => 'secret' });
    const channel = await client.channels.fetch(simulator.generalId);
    const read = async () =>
      channel?.isTextBased() && [...(await channel.messages.fetch({ limit: 1, cache: false })).values()];
    expect(await read()).toMatchObject([{ content: '' }]);
    expect((await client.application.fetch()).flags.toArray()).toEqual([]);
    simulator.setPrivileged({ messageContent: true });
    expect(await read()).toMatchObject([{ content: 'secret' }]);
    expect((await client.application.fetch()).flags.toArray()).toEqual(['GatewayMessageContentLimited']);
  });

  it('tells nothing of direct messages and typing to who does not ask', async () => {
    const simulator = await start();
    const client = await connect(simulator, [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages]);
    const { heard, reach } = recordMessages(client);
    let typing = 0;
    client.on(Events.TypingStart, () => {
      typing += 1;
    });
    simulator.people.say('alice', simulator.people.openDirect('alice'), 'psst');
    simulator.people.type('alice', simulator.generalId);
    simulator.people.say('alice', simulator.generalId, 'aloud', { mention: true });
    await reach(1);
    expect(heard).toEqual([`<@${client.user.id}> aloud`]);
    expect(typing).toBe(0);
  });

  it('tells who types to who asks', async () => {
    const simulator = await start();
    const client = await connect(simulator);
    const typing = once(client, Events.TypingStart);
    simulator.people.type('alice', simulator.generalId);
    expect((await typing)[0].user.id).toBe(simulator.people.user('alice').id);
  });

  it('ends the session of who says goodbye', async () => {
    const simulator = await start();
    const first = await connect(simulator);
    await first.destroy();
    await simulator.until(() => kinds(simulator).includes('close'));
    const second = await connect(simulator);
    const { heard, reach } = recordMessages(second);
    simulator.people.say('alice', simulator.generalId, 'hello');
    await reach(1);
    expect(heard).toEqual(['hello']);
    expect(kinds(simulator)).toEqual(['connect', 'identify', 'close', 'connect', 'identify']);
  });
});

/** Messages that a client hears from now on. */
interface MessageRecording {
  readonly heard: readonly string[];
  /** Waits until so many messages were heard. */
  readonly reach: (count: number) => Promise<void>;
}

function recordMessages(client: Client): MessageRecording {
  const heard: string[] = [];
  client.on(Events.MessageCreate, ({ content }) => heard.push(content));
  return {
    heard,
    reach: async (count) => {
      while (heard.length < count) await once(client, Events.MessageCreate);
    },
  };
}
