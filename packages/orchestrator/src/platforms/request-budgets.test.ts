import { describe, expect, it } from 'vitest';
import { requestBudgetsShape, toBudgetOptions, toRequestBudgets } from './request-budgets.ts';

const unlimited = Number.POSITIVE_INFINITY;

describe('the request budgets of a platform', () => {
  it.each(['https://api.github.com', 'https://api.acme.ghe.com'])('are those of GitHub on %s', (baseUrl) => {
    const rules = toRequestBudgets({}, baseUrl);
    expect(rules).toEqual({ primary: true, secondary: true, contentsPerHour: 500 });
    expect(toBudgetOptions(rules)).toEqual({ primary: true, contentsPerHour: 500 });
  });

  it('are off on any other server', () => {
    const rules = toRequestBudgets({}, 'https://github.example/api/v3');
    expect(rules).toEqual({ primary: false, secondary: false, contentsPerHour: null });
    const minute = { pointsPerMinute: unlimited, contentsPerMinute: unlimited };
    expect(toBudgetOptions(rules)).toEqual({ primary: false, ...minute, contentsPerHour: unlimited });
  });

  it('are what the configuration says, each by itself', () => {
    const own = requestBudgetsShape.parse({ primary: true, contents_per_hour: 200 });
    const rules = toRequestBudgets(own, 'https://github.example/api/v3');
    expect(rules).toEqual({ primary: true, secondary: false, contentsPerHour: 200 });
    const none = requestBudgetsShape.parse({ contents_per_hour: null });
    expect(toRequestBudgets(none, 'https://api.github.com').contentsPerHour).toBeNull();
    expect(requestBudgetsShape.safeParse({ contents_per_hour: 0 }).success).toBe(false);
  });
});
