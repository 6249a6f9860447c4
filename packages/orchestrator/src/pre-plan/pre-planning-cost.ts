import type { OpeningCost, RunStatistics } from '@agent/runner';
import { z } from 'zod';

/** What getting a run ready has cost, by every process that did. */
export interface PrePlanningCost extends Omit<OpeningCost, 'toolCalls'> {
  /** How often each tool was called. */
  readonly tools: Readonly<Record<string, number>>;
  /** Milliseconds. */
  readonly activeMs: number;
}

/** The cost of nothing. */
export const noCost: PrePlanningCost = {
  modelCalls: 0,
  inputTokens: 0,
  outputTokens: 0,
  tools: {},
  activeMs: 0,
};

const count = z.number().nonnegative();

/** As it is kept on disk. */
export const prePlanningCostSchema = z
  .object({
    model_calls: count,
    input_tokens: count,
    output_tokens: count,
    tools: z.record(z.string(), count),
    active_ms: count,
  })
  .transform(
    (kept): PrePlanningCost => ({
      modelCalls: kept.model_calls,
      inputTokens: kept.input_tokens,
      outputTokens: kept.output_tokens,
      tools: kept.tools,
      activeMs: kept.active_ms,
    }),
  );

/** The inverse of what the schema reads. */
export function toCostJson(cost: PrePlanningCost): z.input<typeof prePlanningCostSchema> {
  return {
    model_calls: cost.modelCalls,
    input_tokens: cost.inputTokens,
    output_tokens: cost.outputTokens,
    tools: cost.tools,
    active_ms: cost.activeMs,
  };
}

/** The same as a run counts what it spends. */
export function toCostStatistics({ tools, activeMs, ...cost }: PrePlanningCost): RunStatistics {
  const toolCalls = Object.values(tools).reduce((sum, calls) => sum + calls, 0);
  return { ...cost, toolCalls, durationMs: activeMs };
}
