import type { RunLimits } from '@agent/runner';
import type { RunSettings } from '../config/run-settings.ts';

/** The settings that bound a whole run. */
export type RunLimitSettings = Pick<
  RunSettings['limits'],
  'max_steps' | 'max_duration_minutes' | 'max_tokens' | 'max_tool_failures'
>;

/** The limits of a run as the runner wants them. */
export function toRunLimits(limits: RunLimitSettings): RunLimits {
  return {
    maxSteps: limits.max_steps,
    maxDurationMs: limits.max_duration_minutes * 60_000,
    maxTokens: limits.max_tokens,
    maxToolFailures: limits.max_tool_failures,
  };
}
