import { createServer } from 'node:http';
import { GatewayDispatchEvents } from 'discord-api-types/v10';
import { createChanges } from '../shared/changes.ts';
import { listen, stop } from '../shared/listen.ts';
import { addChannel } from './actions/add-channel.ts';
import { createControls } from './create-controls.ts';
import type { DiscordSimulator, DiscordSimulatorOptions } from './discord-simulator.ts';
import { createGateway, type Gateway } from './gateway/gateway.ts';
import { rolePayload } from './payloads/role-payload.ts';
import { createPeople } from './people/create-people.ts';
import { createDemands } from './rest/demands.ts';
import type { DiscordRequest } from './rest/discord-request.ts';
import { handleRequest } from './rest/handle-request.ts';
import { createRole, createWorld } from './state/create-world.ts';
import type { World } from './state/world.ts';

/** Starts a Discord on a port of 127.0.0.1, with one guild, its owner, the bot and the channel `general`. */
export async function startDiscordSimulator(
  options: DiscordSimulatorOptions = {},
): Promise<DiscordSimulator> {
  const { token = 'simulated.discord.token', botName = 'suzume', now = Date.now } = options;
  const closing = new AbortController();
  const { changed, until } = createChanges(closing.signal);
  const demands = createDemands();
  const requests: DiscordRequest[] = [];
  let gateway: Gateway | null = null;
  const world = createWorld({
    botName,
    now,
    privileged: { messageContent: true, guildMembers: false, guildPresences: false, ...options.privileged },
    publish: (happening) => {
      gateway?.tell(happening);
      changed();
    },
  });
  const general = addChannel(world, 'general', 'text');

  const server = createServer();
  let origin = '';
  const gatewayUrl = () => `${origin.replace('http', 'ws')}/gateway`;
  const side = { world, token, gatewayUrl, demands, requests, changed };
  server.on('request', (incoming, outgoing) => {
    handleRequest(side, incoming, outgoing).catch(() => outgoing.destroy());
  });
  gateway = createGateway(server, {
    world,
    token,
    url: gatewayUrl,
    heartbeatIntervalMs: options.heartbeatIntervalMs ?? 41_250,
    changed,
  });
  origin = await listen(server, options);
  world.filesOrigin = origin;

  return {
    apiUrl: `${origin}/api`,
    token,
    bot: world.bot,
    guildId: world.guildId,
    generalId: general.id,
    people: createPeople(world),
    addRole: (name) => createRoleIn(world, name),
    until,
    ...createControls({ world, demands, requests, gateway }),
    close: async () => {
      closing.abort(new Error('The simulator is closed.'));
      gateway.close();
      await stop(server);
    },
  };
}

/** Adds a role that people may be called by, and tells of it. Gives its id. */
function createRoleIn(world: World, name: string): string {
  const role = createRole(world.nextId(), name, { position: world.roles.size, mentionable: true });
  world.roles.set(role.id, role);
  world.publish({
    dispatch: {
      t: GatewayDispatchEvents.GuildRoleCreate,
      d: { guild_id: world.guildId, role: rolePayload(role) },
    },
    channelId: null,
  });
  return role.id;
}
