import { once } from 'node:events';
import { GatewayDispatchEvents, GatewayIntentBits, GatewayOpcodes, MessageType } from 'discord-api-types/v10';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DiscordRoute, type DiscordSimulator, startDiscordSimulator } from '../index.ts';
import { answerSchemas } from './schemas/answer-schemas.ts';
import { eventSchemas } from './schemas/event-schemas.ts';

const INTENTS =
  GatewayIntentBits.Guilds |
  GatewayIntentBits.GuildMessages |
  GatewayIntentBits.GuildMessageReactions |
  GatewayIntentBits.GuildMessageTyping |
  GatewayIntentBits.DirectMessages |
  GatewayIntentBits.MessageContent;

describe('what goes over the wire, beside the types of discord-api-types', () => {
  let simulator: DiscordSimulator;

  beforeEach(async () => {
    simulator = await startDiscordSimulator();
  });
  afterEach(() => simulator.close());

  /** Asks over plain HTTP and checks the answer. Gives its JSON. */
  async function ask(route: DiscordRoute, parameters: Record<string, string> = {}, body?: object) {
    const [method = '', pattern = ''] = route.split(' ');
    const path = pattern.replaceAll(/:(\w+)/g, (_, name: string) =>
      encodeURIComponent(parameters[name] ?? ''),
    );
    const answer = await fetch(`${simulator.apiUrl}/v10${path}`, {
      method,
      headers: { authorization: `Bot ${simulator.token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const json = text === '' ? undefined : JSON.parse(text);
    expect(answer.status, `${route}: ${text}`).toBeLessThan(300);
    expect(answerSchemas[route]?.safeParse(json).error?.issues, route).toBeUndefined();
    return json;
  }

  it('is what they say, for every route', async () => {
    const { people, generalId: channel } = simulator;
    const { id: alice } = people.user('alice');
    const { id: message } = people.say('alice', channel, 'hi @everyone', { mention: true });
    await ask('GET /gateway/bot');
    await ask('GET /users/@me');
    await ask('GET /users/:user', { user: alice });
    await ask('GET /applications/@me');
    await ask('GET /guilds/:guild/channels', { guild: simulator.guildId });
    await ask('GET /guilds/:guild/threads/active', { guild: simulator.guildId });
    await ask('GET /channels/:channel', { channel });
    for (const kind of ['voice', 'forum', 'announcement'] as const) {
      await ask('GET /channels/:channel', { channel: simulator.addChannel(kind, kind) });
    }
    await ask('POST /channels/:channel/typing', { channel });
    await ask('PUT /channels/:channel/messages/:message/reactions/:emoji/@me', {
      channel,
      message,
      emoji: '👀',
    });
    const { id: thread } = await ask(
      'POST /channels/:channel/messages/:message/threads',
      { channel, message },
      { name: 't' },
    );
    await ask('PUT /channels/:channel/thread-members/@me', { channel: thread });
    await ask('GET /channels/:channel', { channel: thread });
    const reply = { content: 'yes', message_reference: { message_id: message }, nonce: 'n' };
    const { id: own } = await ask('POST /channels/:channel/messages', { channel }, reply);
    await ask('PATCH /channels/:channel/messages/:message', { channel, message: own }, { content: 'no' });
    await ask('GET /channels/:channel/messages/:message', { channel, message: own });
    people.postAsWebhook('hook', channel, 'hooked');
    people.startThread('bob', channel, { title: 'another' });
    expect(await ask('GET /channels/:channel/messages', { channel })).toHaveLength(4);
    await ask('GET /channels/:channel/messages', { channel: thread });
    await ask('DELETE /channels/:channel/messages/:message', { channel, message: own });
    await ask('PATCH /channels/:channel', { channel: thread }, { archived: true });
    const { id: direct } = await ask('POST /users/@me/channels', {}, { recipient_id: alice });
    await ask('POST /channels/:channel/messages', { channel: direct }, { content: 'psst' });
    expect(new Set(simulator.requests.map(({ route }) => route))).toEqual(
      new Set(Object.keys(answerSchemas)),
    );
  });

  it('is what they say, for every event', async () => {
    const { people, generalId } = simulator;
    const sleeping = people.say('alice', generalId, 'before');
    people.startThread('alice', generalId, { title: 'early', messageId: sleeping.id });
    const events: { t: string; d: unknown; s: number }[] = [];
    const { url } = await ask('GET /gateway/bot');
    const socket = new WebSocket(url);
    const opened = once(socket, 'message');
    socket.addEventListener('message', ({ data }) => {
      const { op, ...event } = JSON.parse(String(data));
      if (op === GatewayOpcodes.Dispatch) events.push(event);
    });
    expect(JSON.parse((await opened)[0].data)).toEqual({
      op: 10,
      d: { heartbeat_interval: 41250 },
      t: null,
      s: null,
    });
    socket.send(JSON.stringify({ op: 2, d: { token: simulator.token, intents: INTENTS, properties: {} } }));
    await simulator.until(() => simulator.gatewayLog.some(({ kind }) => kind === 'identify'));

    const message = people.say('alice', generalId, 'hi', { mention: true });
    people.edit(message, 'ho');
    people.react('bob', message, '👍');
    people.type('bob', generalId);
    const thread = people.startThread('alice', generalId, { title: 't', messageId: message.id });
    people.changeThread(thread, { archived: true });
    people.postSystemMessage('carol', generalId, MessageType.ChannelPinnedMessage);
    people.say('alice', people.openDirect('alice'), 'psst');
    simulator.addChannel('other');
    simulator.addRole('helpers');
    simulator.revoke('AddReactions');
    simulator.revoke('AddReactions', generalId);
    people.delete(message);
    while (events.at(-1)?.t !== GatewayDispatchEvents.MessageDelete) await once(socket, 'message');

    for (const { t, d } of events) expect(eventSchemas[t]?.safeParse(d).error?.issues, t).toBeUndefined();
    expect(events.map(({ s }) => s)).toEqual(events.map((_, index) => index + 1));
    const seen = new Set([...events.map(({ t }) => t), 'RESUMED']);
    expect(seen).toEqual(new Set(Object.keys(eventSchemas)));
    socket.close();
  });

  it('refuses in Discord’s words', async () => {
    const ask = (path: string, options: RequestInit = {}) =>
      fetch(`${simulator.apiUrl}/v10${path}`, {
        headers: { authorization: `Bot ${simulator.token}` },
        ...options,
      });
    const refusals = await Promise.all([
      ask('/users/@me', { headers: {} }),
      ask('/nowhere'),
      ask('/channels/1'),
      ask(`/channels/${simulator.generalId}/messages?limit=0`),
    ]);
    expect(refusals.map(({ status }) => status)).toEqual([401, 404, 404, 400]);
    expect(await Promise.all(refusals.map((refusal) => refusal.json()))).toEqual([
      { message: '401: Unauthorized', code: 0 },
      { message: '404: Not Found', code: 0 },
      { message: 'Unknown Channel', code: 10003 },
      {
        message: 'Invalid Form Body',
        code: 50035,
        errors: { limit: { _errors: [{ code: 'NUMBER_TYPE_MAX', message: expect.any(String) }] } },
      },
    ]);
  });
});
