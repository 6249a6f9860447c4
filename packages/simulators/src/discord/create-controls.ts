import { GatewayDispatchEvents, OverwriteType, PermissionFlagsBits } from 'discord-api-types/v10';
import { createHold } from '../shared/held-request.ts';
import { addChannel } from './actions/add-channel.ts';
import type { DiscordSimulator } from './discord-simulator.ts';
import type { Gateway } from './gateway/gateway.ts';
import { channelPayload, guildChannelPayload } from './payloads/channel-payload.ts';
import { messagePayload } from './payloads/message-payload.ts';
import { rolePayload } from './payloads/role-payload.ts';
import type { PermissionName } from './permissions/compute-permissions.ts';
import type { Demands } from './rest/demands.ts';
import type { DiscordRequest } from './rest/discord-request.ts';
import { getChannel } from './state/get-records.ts';
import type { ChannelRecord, RoleRecord } from './state/records.ts';
import { isThread, type World } from './state/world.ts';

interface Parts {
  readonly world: World;
  readonly demands: Demands;
  readonly requests: DiscordRequest[];
  readonly gateway: Gateway;
}

type Guild = 'addChannel' | 'revoke' | 'grant' | 'setPrivileged' | 'channel' | 'lastMessages' | 'threads';
type Traffic =
  | 'requests'
  | 'countRequests'
  | 'clearRequests'
  | 'failNext'
  | 'refuseToken'
  | 'limitNext'
  | 'holdNext';
type Connections =
  | 'gatewayLog'
  | 'dropGateway'
  | 'askToReconnect'
  | 'invalidateSessions'
  | 'setGatewayDeaf'
  | 'swallowResumes'
  | 'setLosingEvents';

/** The levers that a test or an example pulls. */
export function createControls(parts: Parts): Pick<DiscordSimulator, Guild | Traffic | Connections> {
  return { ...guildControls(parts), ...trafficControls(parts), ...connectionControls(parts) };
}

function guildControls({ world }: Parts): Pick<DiscordSimulator, Guild> {
  const setPermission = (permission: PermissionName, isGranted: boolean, channelId?: string) =>
    changePermission(world, {
      permission,
      isGranted,
      channel: channelId === undefined ? null : getChannel(world, channelId),
    });
  return {
    addChannel: (name, kind = 'text') => addChannel(world, name, kind).id,
    revoke: (permission, channelId) => setPermission(permission, false, channelId),
    grant: (permission, channelId) => setPermission(permission, true, channelId),
    setPrivileged: (change) => {
      world.privileged = { ...world.privileged, ...change };
    },
    channel: (channelId) => channelPayload(world, getChannel(world, channelId)),
    lastMessages: (channelId, count) =>
      getChannel(world, channelId)
        .messages.last(count)
        .map((message) => messagePayload(world, message)),
    threads: () =>
      [...world.channels.values()].filter(isThread).map((channel) => channelPayload(world, channel)),
  };
}

function trafficControls({ demands, requests }: Parts): Pick<DiscordSimulator, Traffic> {
  return {
    requests,
    countRequests: (route) => requests.filter((request) => request.route === route).length,
    clearRequests: () => void requests.splice(0),
    failNext: (route, status, { code = 0, message = `${status}: as asked`, times, isDone = false } = {}) =>
      demands.add(route, { kind: 'fail', status, code, message, isDone }, times),
    refuseToken: (times = Number.POSITIVE_INFINITY) => demands.refuseToken(times),
    limitNext: (route, { retryAfterMs, global = false, isCloudflare = false, times, ...body }) => {
      const { bodyRetryAfterMs = retryAfterMs, code = 0 } = body;
      const limit = { retryAfterMs, bodyRetryAfterMs, code, isGlobal: global, isCloudflare };
      demands.add(route, { kind: 'limit', ...limit }, times);
    },
    holdNext: (route, moment = 'before') => {
      const { held, wait } = createHold();
      demands.add(route, { kind: 'hold', moment, wait });
      return held;
    },
  };
}

function connectionControls({ gateway }: Parts): Pick<DiscordSimulator, Connections> {
  return {
    gatewayLog: gateway.log,
    dropGateway: (code = 4000) => gateway.drop(code),
    askToReconnect: gateway.askToReconnect,
    invalidateSessions: gateway.invalidateSessions,
    setGatewayDeaf: gateway.setDeaf,
    swallowResumes: gateway.swallowResumes,
    setLosingEvents: gateway.setLosing,
  };
}

/** Gives the bot a permission or takes it: in one channel by an overwrite, or everywhere through its roles. */
function changePermission(world: World, { permission, isGranted, channel }: PermissionChange): void {
  const bit = PermissionFlagsBits[permission];
  if (channel !== null) changeOverwrite(world, channel, isGranted ? { allow: bit } : { deny: bit });
  else
    for (const role of rolesOfBot(world)) {
      changeRole(world, role, isGranted ? role.permissions | bit : role.permissions & ~bit);
    }
}

interface PermissionChange {
  readonly permission: PermissionName;
  readonly isGranted: boolean;
  /** Null: everywhere. */
  readonly channel: ChannelRecord | null;
}

function changeOverwrite(
  world: World,
  channel: ChannelRecord,
  { allow = 0n, deny = 0n }: { readonly allow?: bigint; readonly deny?: bigint },
): void {
  const id = world.bot.id;
  const before = channel.overwrites.get(id);
  channel.overwrites.set(id, {
    id,
    type: OverwriteType.Member,
    allow: String((BigInt(before?.allow ?? 0) | allow) & ~deny),
    deny: String((BigInt(before?.deny ?? 0) | deny) & ~allow),
  });
  world.publish({
    dispatch: { t: GatewayDispatchEvents.ChannelUpdate, d: guildChannelPayload(world, channel) },
    channelId: null,
  });
}

function rolesOfBot(world: World): readonly RoleRecord[] {
  const ids = [world.guildId, ...(world.memberRoles.get(world.bot.id) ?? [])];
  return ids.flatMap((id) => world.roles.get(id) ?? []);
}

function changeRole(world: World, role: RoleRecord, permissions: bigint): void {
  if (role.permissions === permissions) return;
  role.permissions = permissions;
  world.publish({
    dispatch: {
      t: GatewayDispatchEvents.GuildRoleUpdate,
      d: { guild_id: world.guildId, role: rolePayload(role) },
    },
    channelId: null,
  });
}
