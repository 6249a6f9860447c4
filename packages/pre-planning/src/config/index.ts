export { applyEnvironment, type Environment } from './apply-environment.ts';
export { type PrePlanningConfig, planningConfigSchema, prePlanningConfigSchema } from './config.ts';
