import { expect, it } from 'vitest';
import { toPreparationLimits } from './to-preparation-limits.ts';

const limits = { max_steps: 100, max_duration_minutes: 120, max_tokens: 1_001, max_tool_failures: 3 };

it('leaves getting ready a quarter of each limit, and no limit where there is none [RL-14]', () => {
  const quarter = { maxSteps: 25, maxDurationMs: 30 * 60_000, maxTokens: 250 };
  expect(toPreparationLimits(limits)).toEqual(quarter);
  expect(toPreparationLimits({ ...limits, max_tokens: null })).toEqual({ ...quarter, maxTokens: null });
  expect(toPreparationLimits({ ...limits, max_steps: 3 })).toMatchObject({ maxSteps: 0 });
});
