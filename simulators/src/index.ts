export { parseWorld } from './world/parse-world.ts';
export { WorldError } from './world/service.ts';
export {
  type ServiceName,
  startWorld,
  type World,
  type WorldOptions,
  type WorldSeed,
} from './world/start-world.ts';
