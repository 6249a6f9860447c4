import {
  applyEnvironment,
  type PrePlanningConfig,
  prePlanningConfigSchema,
} from '@agent/pre-planning/config';
import type { RunSettings } from '../config/run-settings.ts';
import type { Environment, RunLogger } from '../ports.ts';

export interface PrePlanningSettings {
  readonly environment: Environment;
  readonly logger: RunLogger;
}

/**
 * How runs get ready before their first step; null when they do not. The section `planning` switches it on, and
 * `PRE_PLANNING_ENABLED` alone does too, with the section's defaults. @see seed 004 §9.2
 */
export function readPrePlanningConfig(
  planning: RunSettings['planning'],
  { environment, logger }: PrePlanningSettings,
): PrePlanningConfig | null {
  if (planning?.enabled === false) return null;
  if (planning === null && !environment.PRE_PLANNING_ENABLED?.trim()) return null;
  const written = planning?.pre_planning ?? prePlanningConfigSchema.parse({ enabled: false });
  const config = applyEnvironment(written, environment, logger);
  return config.enabled ? config : null;
}
