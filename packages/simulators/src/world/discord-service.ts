import { z } from 'zod';
import { startDiscordSimulator } from '../discord/index.ts';
import { discordRoutes } from '../discord/rest/all-routes.ts';
import type { ListenOptions } from '../shared/listen.ts';
import { fromKindAlone, parseStrictly, plantEach, type Service, toKindError } from './service.ts';
import { WorldError } from './world-error.ts';

const text = z.string().min(1);
const times = z.int().positive().optional();
const route = z.enum(discordRoutes);

const faultSchemas = [
  z.strictObject({
    kind: z.literal('fail'),
    route,
    status: z.int().min(400).max(599),
    code: z.int().optional(),
    message: z.string().optional(),
    times,
    isDone: z.boolean().optional(),
  }),
  z.strictObject({
    kind: z.literal('limit'),
    route,
    /** Null: without `Retry-After`. */
    retryAfterMs: z.int().positive().nullable(),
    code: z.int().optional(),
    global: z.boolean().optional(),
    isCloudflare: z.boolean().optional(),
    times,
  }),
  z.strictObject({ kind: z.literal('drop-gateway'), code: z.int().nullish() }),
  z.strictObject({ kind: z.literal('forget-sessions') }),
  z.strictObject({ kind: z.literal('deaf-gateway') }),
  z.strictObject({ kind: z.literal('swallow-resumes'), times: z.int().positive().optional() }),
  z.strictObject({ kind: z.literal('lose-events') }),
] as const;

const faultSchema = fromKindAlone(z.discriminatedUnion('kind', faultSchemas, toKindError(faultSchemas)));

/** Section `discord` of a world, in the order in which it is planted. */
export const discordWorldSchema = z.strictObject({
  botName: text.optional(),
  token: text.optional(),
  /** Text channels beside `general`. */
  channels: z.array(text).optional(),
  messages: z
    .array(
      z.strictObject({
        author: text,
        text: z.string(),
        /** Default: `general`. */
        channel: text.optional(),
        mention: z.boolean().optional(),
      }),
    )
    .optional(),
  faults: z.array(faultSchema).optional(),
});

/** Starts a Discord as a section of a world describes it. */
export async function startDiscordService(data: unknown, place: ListenOptions): Promise<Service> {
  const { botName, token, ...seed } = parseStrictly(discordWorldSchema, data, 'discord');
  const simulator = await startDiscordSimulator({
    port: place.port ?? 0,
    host: place.host ?? '127.0.0.1',
    ...(botName === undefined ? {} : { botName }),
    ...(token === undefined ? {} : { token }),
  });
  const channels = new Map([['general', simulator.generalId]]);
  const fail = (data: unknown) => {
    const fault = parseStrictly(faultSchema, data, 'fault of discord');
    if (fault.kind === 'fail') simulator.failNext(fault.route, fault.status, fault);
    else if (fault.kind === 'limit') simulator.limitNext(fault.route, fault);
    else if (fault.kind === 'drop-gateway') simulator.dropGateway(fault.code);
    else if (fault.kind === 'forget-sessions') simulator.invalidateSessions();
    else if (fault.kind === 'swallow-resumes') simulator.swallowResumes(fault.times ?? 1);
    else if (fault.kind === 'lose-events') simulator.setLosingEvents(true);
    else simulator.setGatewayDeaf(true);
  };
  try {
    await plantEach(seed.channels, 'discord.channels', (name) =>
      channels.set(name, simulator.addChannel(name)),
    );
    await plantEach(
      seed.messages,
      'discord.messages',
      ({ author, text: said, channel = 'general', mention }) => {
        const id = channels.get(channel);
        if (id === undefined) throw new WorldError(`there is no channel ${channel}`);
        simulator.people.say(author, id, said, { mention: mention ?? false });
      },
    );
    await plantEach(seed.faults, 'discord.faults', fail);
  } catch (error) {
    await simulator.close();
    throw error;
  }
  return { url: simulator.apiUrl, requests: () => simulator.requests, fail, close: simulator.close };
}
