import type { RunStatistics } from './model.ts';
import type { RunLimits } from './run-options.ts';

/** A limit that the run has reached; no further model call may be made. */
export interface ExceededLimit {
  readonly name: keyof RunLimits;
  readonly value: number;
}

/** The first limit that is used up; null while the run may go on. What is left out is not limited here. */
export function findExceededLimit(
  statistics: RunStatistics,
  limits: Omit<RunLimits, 'maxToolFailures'>,
): ExceededLimit | null {
  const used = [
    { name: 'maxSteps', spent: statistics.modelCalls },
    { name: 'maxDurationMs', spent: statistics.durationMs },
    { name: 'maxTokens', spent: statistics.inputTokens + statistics.outputTokens },
  ] as const;
  for (const { name, spent } of used) {
    const value = limits[name] ?? null;
    if (value !== null && spent >= value) return { name, value };
  }
  return null;
}
