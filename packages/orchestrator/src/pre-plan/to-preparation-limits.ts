import type { RunLimits } from '@agent/runner';

/** How much of each limit of a run getting ready may use up: what it does is a help, and the steps are the work. */
const share = 1 / 4;

/** What getting ready may spend. A run of fewer than four steps leaves it none. */
export function toPrePlanningLimits({
  maxSteps,
  maxDurationMs,
  maxTokens,
}: RunLimits): Omit<RunLimits, 'maxToolFailures'> {
  return { maxSteps: cut(maxSteps), maxDurationMs: cut(maxDurationMs), maxTokens: cut(maxTokens) };
}

function cut(limit: number | null | undefined): number | null {
  return typeof limit === 'number' ? Math.floor(limit * share) : null;
}
