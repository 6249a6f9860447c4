import type { RunLimits } from '@agent/runner';
import type { Config } from '../config/schema.ts';

/** The limits of a run as the runner wants them. */
export function toRunLimits(limits: Config['limits']): RunLimits {
  return {
    maxSteps: limits.max_steps,
    maxDurationMs: limits.max_duration_minutes * 60_000,
    maxTokens: limits.max_tokens,
    maxToolFailures: limits.max_tool_failures,
  };
}
