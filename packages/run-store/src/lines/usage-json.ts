import { z } from 'zod';
import type { CallUsage } from '../journal-model.ts';

/** Usage as files say it; kinds of tokens and the cost where they are known. */
export type UsageJson = {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cached_input_tokens?: number;
  readonly reasoning_tokens?: number;
  readonly cost_micros?: number;
};

/** Fields of a usage in a schema. */
export const usageShape = {
  input_tokens: z.number(),
  output_tokens: z.number(),
  cached_input_tokens: z.number().optional(),
  reasoning_tokens: z.number().optional(),
  cost_micros: z.number().optional(),
};

/** Writes a usage as files say it. */
export function toUsageJson(usage: CallUsage): UsageJson {
  const { inputTokens, outputTokens, cachedInputTokens, reasoningTokens, costMicros } = usage;
  return {
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    ...(cachedInputTokens === undefined ? {} : { cached_input_tokens: cachedInputTokens }),
    ...(reasoningTokens === undefined ? {} : { reasoning_tokens: reasoningTokens }),
    ...(costMicros === undefined ? {} : { cost_micros: costMicros }),
  };
}

/** Reads a usage back. */
export function parseUsage(json: z.infer<z.ZodObject<typeof usageShape>>): CallUsage {
  const { cached_input_tokens: cached, reasoning_tokens: reasoning, cost_micros: cost } = json;
  return {
    inputTokens: json.input_tokens,
    outputTokens: json.output_tokens,
    ...(cached === undefined ? {} : { cachedInputTokens: cached }),
    ...(reasoning === undefined ? {} : { reasoningTokens: reasoning }),
    ...(cost === undefined ? {} : { costMicros: cost }),
  };
}
