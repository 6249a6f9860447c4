import { expect, it } from 'vitest';
import { toPrePlanningLimits } from './to-preparation-limits.ts';

const limits = { max_steps: 100, max_duration_minutes: 120, max_tokens: 1_001, max_tool_failures: 3 };

it('leaves getting ready a quarter of each limit, and no limit where there is none [RL-14]', () => {
  const quarter = { maxSteps: 25, maxDurationMs: 30 * 60_000, maxTokens: 250 };
  expect(toPrePlanningLimits(limits)).toEqual(quarter);
  expect(toPrePlanningLimits({ ...limits, max_tokens: null })).toEqual({ ...quarter, maxTokens: null });
  expect(toPrePlanningLimits({ ...limits, max_steps: 3 })).toMatchObject({ maxSteps: 0 });
});
