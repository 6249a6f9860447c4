import { z } from 'zod';
import type { RunEnd } from '../journal-model.ts';

const outcomeSchema = z
  .object({
    status: z.enum(['completed', 'failed', 'stopped', 'paused']),
    reason: z.string().nullable(),
    final_text: z.string().nullable(),
    statistics: z.object({
      model_calls: z.number(),
      tool_calls: z.number(),
      input_tokens: z.number(),
      output_tokens: z.number(),
      duration_ms: z.number(),
    }),
    details: z.json().optional(),
    finished_at: z.string(),
  })
  .transform(({ status, reason, final_text, statistics, details, finished_at }) => ({
    status,
    reason,
    finalText: final_text,
    statistics: {
      modelCalls: statistics.model_calls,
      toolCalls: statistics.tool_calls,
      inputTokens: statistics.input_tokens,
      outputTokens: statistics.output_tokens,
      durationMs: statistics.duration_ms,
    },
    details,
    finishedAt: finished_at,
  }));

/** The text of `outcome.json`. */
export function formatOutcome(end: RunEnd, finishedAt: string): string {
  const { modelCalls, toolCalls, inputTokens, outputTokens, durationMs } = end.statistics;
  const outcome = {
    status: end.status,
    reason: end.reason,
    final_text: end.finalText,
    statistics: {
      model_calls: modelCalls,
      tool_calls: toolCalls,
      input_tokens: inputTokens,
      output_tokens: outputTokens,
      duration_ms: durationMs,
    },
    details: end.details,
    finished_at: finishedAt,
  };
  return `${JSON.stringify(outcome, null, 2)}\n`;
}

/** Reads `outcome.json` back. @throws when it is no outcome */
export function parseOutcome(text: string): RunEnd & { readonly finishedAt: string } {
  return outcomeSchema.parse(JSON.parse(text));
}
