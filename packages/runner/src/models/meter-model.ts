import { estimateTokens, type Logger, type NetworkFailureKind, sortNetworkCode } from '@agent/text';
import {
  checkOptions,
  checkValue,
  type ExpectationsOf,
  expected,
  expectNullable,
  expectNumber,
  expectOptions,
  expectPort,
} from '@agent/text/options';
import { type LanguageModel, type LanguageModelMiddleware, wrapLanguageModel } from 'ai';
import { classifyModelError, type ModelFailure } from '../classify-model-error.ts';
import { expectModel } from '../expectations.ts';
import { type CallSpending, withCost } from '../usage.ts';
import { isFree, type ModelPrice, toCostMicros, toMostMicros } from './prices.ts';

/** Options of `meterModel`. */
export interface MeterOptions {
  readonly price: ModelPrice;
  /** Null where the calls are priced and not limited. */
  readonly spending: CallSpending | null;
  /** Silent by default. */
  readonly logger?: Logger | null | undefined;
}

const costs = expectNumber(0, { most: Number.MAX_VALUE });

const expectations: ExpectationsOf<MeterOptions> = {
  price: expectOptions(
    {
      input: costs,
      output: costs,
      cached_input: expectNullable(costs),
      cache_write: expectNullable(costs),
      reasoning: expectNullable(costs),
      max_output_tokens: expectNumber(1, { isWhole: true }),
    } satisfies ExpectationsOf<ModelPrice>,
    ['input', 'output', 'max_output_tokens'],
  ),
  spending: expectNullable(expectPort('reserve')),
  logger: expected.logger,
};

/**
 * The same model, whose calls are paid for: the most that one can cost is reserved before it, and settled by its usage after it.
 * Its answers carry what they cost, and none is longer than its price allows. It answers as a whole: a stream is refused.
 *
 * @example
 * const metered = meterModel(model, { price: modelPriceSchema.parse({ input: 3, output: 15 }), spending });
 */
export function meterModel(model: LanguageModel, options: MeterOptions): LanguageModel {
  if (typeof model === 'string')
    throw new TypeError(`The model "${model}" is only a name. Give the model itself: its calls are metered.`);
  checkValue('model', model, expectModel);
  checkOptions('MeterOptions', options, expectations, ['price', 'spending']);
  return wrapLanguageModel({ model, middleware: createMeter(options) });
}

function createMeter({ price, spending, logger }: MeterOptions): LanguageModelMiddleware {
  const limitOutput = ({ maxOutputTokens }: Params) =>
    Math.min(maxOutputTokens ?? price.max_output_tokens, price.max_output_tokens);
  return {
    specificationVersion: 'v4',
    transformParams: async ({ params }) =>
      isFree(price) ? params : { ...params, maxOutputTokens: limitOutput(params) },
    wrapGenerate: async ({ doGenerate, params }) => {
      const settle = await reserve(params, { price, spending });
      try {
        const result = await doGenerate();
        const micros = toCostMicros(readTokens(result.usage), price);
        await settle(micros).catch(tell(logger));
        return { ...result, providerMetadata: withCost(result.providerMetadata, micros) };
      } catch (error) {
        await settle(mayBeBilled(error) ? null : 0).catch(tell(logger));
        throw error;
      }
    },
    wrapStream: () => {
      throw new TypeError('A model whose calls are metered answers as a whole: use generateText.');
    },
  };
}

type GenerateCall = Parameters<NonNullable<LanguageModelMiddleware['wrapGenerate']>>[0];
type Params = GenerateCall['params'];
type Usage = Awaited<ReturnType<GenerateCall['doGenerate']>>['usage'];

/** Tokens that a provider may add to a request, and those of its frame. */
const frameTokens = 200;

/** Gives what settles the call by its cost; null where nobody can say that. */
async function reserve(
  { prompt, tools, responseFormat, abortSignal: signal }: Params,
  { price, spending }: Pick<MeterOptions, 'price' | 'spending'>,
): Promise<(micros: number | null) => Promise<void>> {
  if (spending === null || isFree(price)) return async () => {};
  const { text, pictures } = writeOut([prompt, tools, responseFormat]);
  const tokens = estimateTokens(text) + pictures * tokensPerPicture + frameTokens;
  const most = toMostMicros(tokens, price);
  const settle = await spending.reserve(most, { signal });
  return (micros) =>
    settle(micros === null ? { micros: most, isPresumed: true } : { micros, isPresumed: false });
}

/** Tokens that a picture costs at most, by its size on the screen: providers make larger ones smaller. */
const tokensPerPicture = 3_000;

/** A request as text, without the bytes in it. */
function writeOut(request: unknown): { readonly text: string; readonly pictures: number } {
  let pictures = 0;
  const text = JSON.stringify(request, (_key, value) => {
    if (!(value instanceof Uint8Array)) return value;
    pictures += 1;
    return null;
  });
  return { text, pictures };
}

/** Tokens that a provider counts by kind; of what it does not tell apart, all are of the plain kind. */
function readTokens({ inputTokens, outputTokens }: Usage) {
  const cachedInput = inputTokens.cacheRead ?? 0;
  const cacheWrite = inputTokens.cacheWrite ?? 0;
  const reasoning = outputTokens.reasoning ?? 0;
  return {
    input: inputTokens.noCache ?? Math.max(0, (inputTokens.total ?? 0) - cachedInput - cacheWrite),
    cachedInput,
    cacheWrite,
    output: outputTokens.text ?? Math.max(0, (outputTokens.total ?? 0) - reasoning),
    reasoning,
  };
}

const unbilled: ReadonlySet<ModelFailure['kind']> = new Set([
  ...(['unauthorized', 'no-quota', 'unknown-model', 'no-tools', 'untrusted-certificate'] as const),
  ...(['rate-limited', 'context-too-long', 'unclear', 'refused', 'over-budget'] as const),
]);

const neverSent: ReadonlySet<NetworkFailureKind | null> = new Set(['unknown-host', 'refused', 'no-route']);

/** Tells whether a call that failed may have been carried out: a server that said no, or was never reached, bills nothing. */
function mayBeBilled(error: unknown): boolean {
  const { kind, status, wasAsked, detail } = classifyModelError(error);
  if (!wasAsked || unbilled.has(kind)) return false;
  if (kind === 'server-error') return status === 504 || status === 408;
  return kind !== 'unreachable' || !neverSent.has(sortNetworkCode(detail));
}

/** Logs that a call cannot be settled: it stays reserved, and counts in full in the end. */
function tell(logger: MeterOptions['logger']) {
  return (err: unknown): void =>
    logger?.warn({ err }, 'failed to record call cost; counting reserved amount');
}
