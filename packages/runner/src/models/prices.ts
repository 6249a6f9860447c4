import { z } from 'zod';

/** Price of a million tokens; 0 for what costs nothing. */
const price = z.number().min(0).max(1_000_000);

/** Prices of a model, in a currency, for a million tokens of each kind. */
export const modelPriceSchema = z.strictObject({
  input: price,
  /** Input that the provider reads from its cache. Null: as `input`. */
  cached_input: price.nullable().default(null),
  /** Input that the provider puts into its cache. Null: as `input`. */
  cache_write: price.nullable().default(null),
  output: price,
  /** Output that the model thinks with. Null: as `output`. */
  reasoning: price.nullable().default(null),
  /** Tokens of the longest answer that is asked for, thinking included: the most that a call can cost rests on it. */
  max_output_tokens: z.number().int().min(16).max(1_000_000).default(16_384),
});

/** Prices of one model. */
export type ModelPrice = z.infer<typeof modelPriceSchema>;

/** Tokens of a call by kind. */
interface PricedTokens {
  readonly input: number;
  readonly cachedInput: number;
  readonly cacheWrite: number;
  readonly output: number;
  readonly reasoning: number;
}

/** Works out what tokens cost, in whole millionths of the currency, rounded up. */
export function toCostMicros(tokens: PricedTokens, price: ModelPrice): number {
  const { input, output } = price;
  const { cached_input: cachedInput, cache_write: cacheWrite, reasoning } = price;
  // A price for a million tokens is the price of one token in millionths.
  const cost =
    tokens.input * input +
    tokens.cachedInput * (cachedInput ?? input) +
    tokens.cacheWrite * (cacheWrite ?? input) +
    tokens.output * output +
    tokens.reasoning * (reasoning ?? output);
  return Math.ceil(cost - 1e-6);
}

/** Works out the most that a call can cost whose prompt has so many tokens. */
export function toMostMicros(promptTokens: number, price: ModelPrice): number {
  const dearest = (one: number, ...others: readonly (number | null)[]) =>
    Math.max(one, ...others.map((other) => other ?? one));
  const { input, output, cached_input: cachedInput, cache_write: cacheWrite, reasoning } = price;
  return Math.ceil(
    promptTokens * dearest(input, cachedInput, cacheWrite) +
      price.max_output_tokens * dearest(output, reasoning),
  );
}

/** Tells whether a model costs nothing at all. */
export function isFree(price: ModelPrice): boolean {
  const { input, output, cached_input: cachedInput, cache_write: cacheWrite, reasoning } = price;
  return [input, output, cachedInput, cacheWrite, reasoning].every((one) => one === null || one === 0);
}
