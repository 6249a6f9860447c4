export {
  applyEnvironment,
  type Environment,
  type PrePlanningConfig,
  planningConfigSchema,
  prePlanningConfigSchema,
} from './config.ts';
