export type { HeldRequest } from '../shared/held-request.ts';
export type { SimulatedChannelKind } from './actions/add-channel.ts';
export type {
  DiscordSimulator,
  DiscordSimulatorOptions,
  FailureOptions,
  LimitOptions,
} from './discord-simulator.ts';
export type { GatewayEvent } from './gateway/gateway-log.ts';
export type { AttachedFile, FillOptions, MessageAddress, People, SayOptions } from './people/people.ts';
export type { PermissionName } from './permissions/compute-permissions.ts';
export type { DiscordRoute } from './rest/all-routes.ts';
export type { DiscordRequest } from './rest/discord-request.ts';
export { startDiscordSimulator } from './start-discord-simulator.ts';
export type { PrivilegedIntents } from './state/world.ts';
