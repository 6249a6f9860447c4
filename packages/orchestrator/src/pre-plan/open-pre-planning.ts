import type { AnswerSource } from '@agent/pre-planning';
import {
  applyEnvironment,
  type PrePlanningConfig,
  prePlanningConfigSchema,
} from '@agent/pre-planning/config';
import type { Redact } from '@agent/text/outgoing';
import type { RunSettings } from '../config/run-settings.ts';
import type { ConfiguredModel, Environment, RunLogger } from '../ports.ts';

/** Everything that runs of this process share to pre-plan. */
export interface PrePlanning {
  readonly config: PrePlanningConfig;
  /** The configured model; what its endpoint can do is found out once. */
  readonly source: AnswerSource;
}

export interface OpenPrePlanningOptions {
  readonly model: ConfiguredModel;
  readonly maxRetries: number;
  readonly timeoutMs: number;
  readonly hideKnownSecrets: Redact;
  readonly logger: RunLogger;
}

/** Null where runs begin at once. */
export async function openPrePlanning(
  config: PrePlanningConfig | null,
  { model: { model, chatModel }, logger, ...options }: OpenPrePlanningOptions,
): Promise<PrePlanning | null> {
  if (config === null) return null;
  const { createStructuredOutput } = await import('@agent/pre-planning');
  return { config, source: createStructuredOutput({ ...options, model, chatModel, logger }) };
}

export interface PrePlanningSettings {
  readonly environment: Environment;
  readonly logger: RunLogger;
}

/**
 * Reads how runs pre-plan before their first step; null when they do not. The section `planning` switches it on, and
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
