import type { AnswerSource } from '@agent/pre-planning';
import type { PrePlanningConfig } from '@agent/pre-planning/config';
import type { Redact } from '@agent/text/outgoing';
import type { ConfiguredModel, RunLogger } from '../ports.ts';

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
