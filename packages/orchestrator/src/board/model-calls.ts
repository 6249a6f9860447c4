import { addToHistogram, emptyHistogram, type Histogram } from './histogram.ts';

/** A request to a model that has ended. */
export interface ModelCall {
  /** As the AI SDK names it: `openai.chat`. */
  readonly provider: string;
  readonly model: string;
  readonly durationMs: number;
  /** Null where the provider counted nothing. */
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  /** Kind of its failure; null for one that was answered. */
  readonly failure: string | null;
}

/** Counts of the requests to one model. */
export interface ModelCallCounts {
  /** As the convention names it: `openai`, also for servers of other makes with the same API. */
  readonly provider: string;
  readonly model: string;
  readonly inputTokens: Histogram;
  readonly outputTokens: Histogram;
  /** Seconds that requests took, by the kind of their failure; those that were answered under the empty text. */
  readonly seconds: ReadonlyMap<string, Histogram>;
}

/** Bounds that the convention gives. @see https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-metrics/ */
const tokenBounds = Array.from({ length: 14 }, (_, power) => 4 ** power);

/** Bounds that the convention gives: each twice the one before, from 10 ms to 81.92 s. */
const secondBounds = Array.from({ length: 14 }, (_, power) => 2 ** power / 100);

/** The counts by model after one request more. */
export function countModelCall(
  counts: ReadonlyMap<string, ModelCallCounts>,
  call: ModelCall,
): ReadonlyMap<string, ModelCallCounts> {
  const { model, inputTokens, outputTokens } = call;
  const provider = toProviderName(call.provider);
  const key = JSON.stringify([provider, model]);
  const empty = emptyHistogram(tokenBounds);
  const before = counts.get(key) ?? { inputTokens: empty, outputTokens: empty, seconds: new Map() };
  const failure = call.failure ?? '';
  const seconds = before.seconds.get(failure) ?? emptyHistogram(secondBounds);
  return new Map(counts).set(key, {
    provider,
    model,
    inputTokens: inputTokens === null ? before.inputTokens : addToHistogram(before.inputTokens, inputTokens),
    outputTokens:
      outputTokens === null ? before.outputTokens : addToHistogram(before.outputTokens, outputTokens),
    seconds: new Map(before.seconds).set(failure, addToHistogram(seconds, call.durationMs / 1_000)),
  });
}

/** Names by the convention, as spans have them. @see https://opentelemetry.io/docs/specs/semconv/registry/attributes/gen-ai/ */
const providerNames: Readonly<Record<string, string>> = {
  'amazon-bedrock': 'aws.bedrock',
  azure: 'azure.ai.inference',
  google: 'gcp.gemini',
};

/** Endpoints of one provider are one: what stands behind the dot says which. Others stay as they are. */
function toProviderName(provider: string): string {
  const [name = ''] = provider.split('.');
  if (name === 'openai' || name === 'anthropic') return name;
  return providerNames[name] ?? provider;
}
