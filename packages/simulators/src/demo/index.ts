export type { DemoComment, DemoForge, DemoThread, ForgeName } from './demo-forge.ts';
export {
  type PlayDemonstrationOptions,
  type PlayedDemonstration,
  playDemonstration,
} from './play-demonstration.ts';
export type { ObservedModel } from './play-model.ts';
export {
  type Demonstration,
  type DemonstrationOptions,
  type DemonstrationResult,
  prepareDemonstration,
} from './prepare-demonstration.ts';
export type { ChosenModel } from './start-demo-model.ts';
