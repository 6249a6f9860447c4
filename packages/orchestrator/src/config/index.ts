export {
  findPriceGaps,
  hasLimit,
  type MaxCost,
  maxCostSchema,
  type PriceGaps,
} from '../spending/spending-settings.ts';
export { ConfigError, readSecret } from './config-error.ts';
export { isAgentOffline, listExecutorMistakes } from './executor-mistakes.ts';
export { type PlanningSection, readPlanningChoice } from './planning-settings.ts';
export { parseRunSettings, type RunSettings, runSettingsShape } from './run-settings.ts';
