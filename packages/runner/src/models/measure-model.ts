import { checkOptions, type ExpectationsOf, expected } from '@agent/text/options';
import { type LanguageModel, type LanguageModelMiddleware, wrapLanguageModel } from 'ai';
import { classifyModelError, type ModelFailureKind } from '../classify-model-error.ts';

/** A request to a model that has ended. */
export interface MeasuredCall {
  readonly durationMs: number;
  /** Null where the request failed, or the provider does not count. */
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  /** Null for a request that was answered. `aborted`: whoever asked did not wait for the answer. */
  readonly failure: ModelFailureKind | 'aborted' | null;
}

/** Options of `measureModel`. */
export interface MeasureOptions {
  /** Called when a request begins; the result is called when it has ended. Must not throw. Default nothing. */
  readonly onBegin?: (() => (end: { readonly isAnswered: boolean }) => void) | undefined;
  /** Told of each request once. Must not throw. */
  readonly onCall: (call: MeasuredCall) => void;
  /** Milliseconds on a clock that never goes back. Default `performance.now`. */
  readonly now?: (() => number) | undefined;
}

const expectations: ExpectationsOf<MeasureOptions> = {
  onBegin: expected.function,
  onCall: expected.function,
  now: expected.function,
};

/**
 * The same model, which tells how long each request took and what its provider counted; a repeated request is one more. Streams
 * are not measured.
 *
 * @example
 * const measured = measureModel(model, { onCall: ({ durationMs }) => console.log(durationMs) });
 */
export function measureModel(
  model: Exclude<LanguageModel, string>,
  options: MeasureOptions,
): Exclude<LanguageModel, string> {
  checkOptions('MeasureOptions', options, expectations, ['onCall']);
  const { onCall, onBegin = () => () => {}, now = () => performance.now() } = options;
  const wrapGenerate: LanguageModelMiddleware['wrapGenerate'] = async ({ doGenerate, params }) => {
    const startedAt = now();
    let isAnswered = false;
    const end = onBegin();
    const tell = (rest: Omit<MeasuredCall, 'durationMs'>) =>
      onCall({ durationMs: now() - startedAt, ...rest });
    try {
      const result = await doGenerate();
      isAnswered = true;
      const { inputTokens, outputTokens } = result.usage;
      tell({
        inputTokens: inputTokens.total ?? null,
        outputTokens: outputTokens.total ?? null,
        failure: null,
      });
      return result;
    } catch (error) {
      tell({ inputTokens: null, outputTokens: null, failure: toFailure(error, params.abortSignal) });
      throw error;
    } finally {
      end({ isAnswered });
    }
  };
  return wrapLanguageModel({ model, middleware: { specificationVersion: 'v4', wrapGenerate } });
}

function toFailure(error: unknown, signal: AbortSignal | undefined): MeasuredCall['failure'] {
  if (signal?.aborted !== true) return classifyModelError(error).kind;
  return (signal.reason as Error | undefined)?.name === 'TimeoutError' ? 'timeout' : 'aborted';
}
