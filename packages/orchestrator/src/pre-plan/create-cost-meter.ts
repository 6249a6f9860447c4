import type { TokenUsage } from '@agent/runner';
import type { PrePlanningCost } from './pre-planning-cost.ts';

/** Counts what getting a run ready costs. */
export interface CostMeter {
  readonly countAnswer: (usage: TokenUsage) => void;
  readonly countTool: (name: string) => void;
  /** What it has cost by now, earlier processes included. */
  readonly read: () => PrePlanningCost;
}

/** Goes on counting from what earlier processes have counted. `now` in milliseconds; only differences are used. */
export function createCostMeter(
  earlier: PrePlanningCost,
  { now }: { readonly now: () => number },
): CostMeter {
  const startedAt = now();
  let cost = earlier;
  return {
    countAnswer: ({ inputTokens, outputTokens }) => {
      cost = {
        ...cost,
        modelCalls: cost.modelCalls + 1,
        inputTokens: cost.inputTokens + inputTokens,
        outputTokens: cost.outputTokens + outputTokens,
      };
    },
    countTool: (name) => {
      cost = { ...cost, tools: { ...cost.tools, [name]: (cost.tools[name] ?? 0) + 1 } };
    },
    read: () => ({ ...cost, activeMs: Math.max(0, earlier.activeMs + now() - startedAt) }),
  };
}
