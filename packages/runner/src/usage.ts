import type { CallOptions } from '@agent/platforms';
import type { generateText, ProviderMetadata } from 'ai';
import type { TokenUsage } from './model.ts';

/** Usage of no call. */
export const nothingUsed: TokenUsage = { inputTokens: 0, outputTokens: 0 };

type Answer = Pick<Awaited<ReturnType<typeof generateText>>, 'usage' | 'providerMetadata'>;

/** Reads the usage of an answer of the AI SDK, by kind where the provider tells it, and its cost where it was metered. */
export function readUsage({ usage, providerMetadata }: Answer): TokenUsage {
  return withoutZeros({
    inputTokens: usage.inputTokens ?? 0,
    outputTokens: usage.outputTokens ?? 0,
    cachedInputTokens: usage.inputTokenDetails.cacheReadTokens,
    reasoningTokens: usage.outputTokenDetails.reasoningTokens,
    costMicros: readCost(providerMetadata),
  });
}

/** Adds up two usages, kind by kind. */
export function addUsage(one: TokenUsage, other: TokenUsage): TokenUsage {
  return withoutZeros({
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    cachedInputTokens: (one.cachedInputTokens ?? 0) + (other.cachedInputTokens ?? 0),
    reasoningTokens: (one.reasoningTokens ?? 0) + (other.reasoningTokens ?? 0),
    costMicros: (one.costMicros ?? 0) + (other.costMicros ?? 0),
  });
}

function withoutZeros({ inputTokens, outputTokens, ...kinds }: TokenUsage): TokenUsage {
  const known = Object.entries(kinds).filter(([, amount]) => typeof amount === 'number' && amount > 0);
  return { inputTokens, outputTokens, ...Object.fromEntries(known) };
}

/** Name under which the cost of an answer goes along with it. */
const metadataName = 'agent-cost';

/** Puts the cost of an answer beside what its provider says of it. */
export function withCost(metadata: ProviderMetadata | undefined, micros: number): ProviderMetadata {
  return { ...metadata, [metadataName]: { micros } };
}

function readCost(metadata: ProviderMetadata | undefined): number | undefined {
  const micros = metadata?.[metadataName]?.micros;
  return typeof micros === 'number' ? micros : undefined;
}

/** Money that the calls of a run are paid from. */
export interface CallSpending {
  /**
   * Reserves the most that a call can cost; resolves with what settles it. Waits where only calls under way could reach a limit.
   * @throws {ModelUnavailable} of kind `over-budget` where a limit is reached
   */
  readonly reserve: (micros: number, options: CallOptions) => Promise<SettleCall>;
}

/** Replaces a reservation by what the call cost. */
export type SettleCall = (cost: {
  readonly micros: number;
  /** True where nobody can say what it cost: then it is the whole reservation. */
  readonly isPresumed: boolean;
}) => Promise<void>;
