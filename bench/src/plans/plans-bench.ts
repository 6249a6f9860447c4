import { readPlan } from '@agent/runner/planning';
import { brokenPlans } from '../../../packages/runner/test/broken-plans/index.ts';
import { planTools } from '../../../packages/runner/test/sample-plan.ts';
import type { Bench } from '../report.ts';
import { type ReadPlan, toPlansReport } from './plans-report.ts';

const rounds = 5;
const rules = { tools: planTools, maxSubtasks: 100 };

/** What becomes of plans that are broken, and how long it takes to find out. */
export const plansBench: Bench = {
  name: 'plans',
  fromSources: true,
  run: async () => toPlansReport(brokenPlans.map(measurePlan)),
};

function measurePlan({ name, text, expected }: (typeof brokenPlans)[number]): ReadPlan {
  const times = Array.from({ length: rounds }, () => {
    const start = performance.now();
    const kind = readTyped(text);
    return { kind, ms: performance.now() - start };
  });
  const fastest = Math.min(...times.map(({ ms }) => ms));
  return { name, group: expected, kind: times[0]?.kind ?? 'thrown', ms: fastest };
}

function readTyped(text: string): ReadPlan['kind'] {
  try {
    return readPlan(text, rules).kind;
  } catch {
    return 'thrown';
  }
}
