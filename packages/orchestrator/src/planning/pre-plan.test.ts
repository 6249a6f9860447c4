import { expect, it } from 'vitest';
import { toPrePlanningLimits } from './pre-plan.ts';

const limits = { maxSteps: 100, maxDurationMs: 120 * 60_000, maxTokens: 1_001, maxToolFailures: 3 };

it('leaves pre-planning a quarter of each limit, and no limit where there is none [RL-14]', () => {
  const quarter = { maxSteps: 25, maxDurationMs: 30 * 60_000, maxTokens: 250 };
  expect(toPrePlanningLimits(limits)).toEqual(quarter);
  expect(toPrePlanningLimits({ ...limits, maxTokens: null })).toEqual({ ...quarter, maxTokens: null });
  expect(toPrePlanningLimits({ ...limits, maxSteps: 3 })).toMatchObject({ maxSteps: 0 });
});
