import { createHold } from '../shared/held-request.ts';
import { addChannel } from './actions/add-channel.ts';
import type { DiscordSimulator } from './discord-simulator.ts';
import type { Gateway } from './gateway/gateway.ts';
import { channelPayload } from './payloads/channel-payload.ts';
import { messagePayload } from './payloads/message-payload.ts';
import { changePermission } from './permissions/change-permission.ts';
import type { PermissionName } from './permissions/compute-permissions.ts';
import type { Demands } from './rest/demands.ts';
import type { DiscordRequest } from './rest/discord-request.ts';
import { getChannel } from './state/get-records.ts';
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
type Connections = 'gatewayLog' | 'dropGateway' | 'askToReconnect' | 'invalidateSessions' | 'setGatewayDeaf';

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
    limitNext: (route, { retryAfterMs, global = false, times }) =>
      demands.add(route, { kind: 'limit', retryAfterMs, isGlobal: global }, times),
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
  };
}
