export { parseWorld } from './world/parse-world.ts';
export { type ServiceName, startWorld, type World, type WorldOptions } from './world/start-world.ts';
export { WorldError } from './world/world-error.ts';
export type {
  DiscordFault,
  DiscordWorld,
  ForgeFault,
  GitHubWorld,
  GitLabWorld,
  ModelFaultSeed,
  ModelWorld,
  WorldSeed,
} from './world/world-seed.ts';
