export { findBlockingBranch } from './branch-prefix.ts';
export { checkLimits, type LimitsPlace } from './check-limits.ts';
export { ConfigError, type ConfigErrorOptions, type ConfigFault, readSecret } from './config-error.ts';
export { type ConfigMistake, describeIssues, isSetting } from './describe-issues.ts';
export { isAgentOffline, listExecutorMistakes } from './executor-mistakes.ts';
export { toIssueMessage } from './issue-message.ts';
export {
  createSettings,
  type LiveSettings,
  type SettingsHolder,
  type WorkSettings,
} from './live-settings.ts';
export { findPastedSecrets } from './pasted-secrets.ts';
export { type PlanningSection, readPlanningChoice } from './planning-settings.ts';
export {
  checkRetention,
  parseRunSettings,
  type RunSettings,
  runSettingsShape,
  toRetentionDays,
} from './run-settings.ts';
export {
  findPriceGaps,
  hasLimit,
  type MaxCost,
  maxCostSchema,
  type PriceGaps,
} from './spending-settings.ts';
