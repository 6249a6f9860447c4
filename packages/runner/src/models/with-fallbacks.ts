import {
  checkOptions,
  checkValue,
  type ExpectationsOf,
  expected,
  expectNumber,
  isObject,
} from '@agent/text/options';
import type { LanguageModel, LanguageModelMiddleware } from 'ai';
import { wrapLanguageModel } from 'ai';
import { classifyModelError, type ModelFailure } from '../classify-model-error.ts';

/** Milliseconds after which a model that failed is tried again before those behind it. */
const restMs = 300_000;

/** Failures in a row that may pass, until the next model is asked. */
const maxFailures = 3;

/** Options of `FallbackOrder`. */
export interface FallbackOptions {
  /** Number of models. */
  readonly count: number;
  /** Milliseconds on a clock that never goes back. Default `performance.now`. */
  readonly now?: (() => number) | undefined;
  /** Told when another model is asked from now on, by its place. Default nothing. */
  readonly onChange?: ((place: number, failure: ModelFailure) => void) | undefined;
}

const expectations: ExpectationsOf<FallbackOptions> = {
  count: expectNumber(1, { isWhole: true }),
  now: expected.function,
  onChange: expected.function,
};

/** Remembers which of several models fail, for everything that asks them. */
export class FallbackOrder {
  readonly #count: number;
  readonly #now: () => number;
  readonly #onChange: FallbackOptions['onChange'];
  /** Failures in a row by place, and until when the model is left alone. */
  readonly #failures = new Map<number, { readonly count: number; readonly restsUntil: number }>();

  /** @throws {TypeError} that names an option which is missing, unknown or invalid */
  constructor(options: FallbackOptions) {
    checkOptions('FallbackOptions', options, expectations, ['count']);
    const { count, now = () => performance.now(), onChange } = options;
    this.#count = count;
    this.#now = now;
    this.#onChange = onChange;
  }

  /** The place of the model to ask: the first that does not rest; where all do, the first. */
  choose(): number {
    const places = Array.from({ length: this.#count }, (_, place) => place);
    return places.find((place) => (this.#failures.get(place)?.restsUntil ?? 0) <= this.#now()) ?? 0;
  }

  afterAnswer(place: number): void {
    this.#failures.delete(place);
  }

  /** True where the model behind it is to be asked at once: it stays away, or nobody but a person can have it answer. */
  afterFailure(place: number, failure: ModelFailure): boolean {
    if (failure.kind === 'over-budget' || failure.kind === 'context-too-long') return false;
    const count = (this.#failures.get(place)?.count ?? 0) + 1;
    const isOver = failure.remedy !== 'wait' || !failure.wasAsked || count >= maxFailures;
    this.#failures.set(place, { count, restsUntil: isOver ? this.#now() + restMs : 0 });
    const hasNext = place + 1 < this.#count;
    if (isOver && hasNext) this.#onChange?.(place + 1, failure);
    return isOver && hasNext;
  }
}

/**
 * One model out of several: the next one answers while those before it stay unreachable or refuse. Several can share an order.
 *
 * @example
 * const model = withFallbacks([best, cheaper], new FallbackOrder({ count: 2 }));
 */
export function withFallbacks(
  models: readonly Exclude<LanguageModel, string>[],
  order: FallbackOrder,
): LanguageModel {
  checkValue('models', models, {
    isMet: (value) => Array.isArray(value) && value.length > 0 && value.every(isObject),
    text: 'an array of at least one model of the AI SDK',
  });
  const [model] = models as readonly [Model, ...Model[]];
  return models.length === 1
    ? model
    : wrapLanguageModel({ model, middleware: createFallback(models, order) });
}

type Model = Exclude<LanguageModel, string>;

function createFallback(models: readonly Model[], order: FallbackOrder): LanguageModelMiddleware {
  return {
    specificationVersion: 'v4',
    wrapGenerate: async ({ params }) => {
      for (let place = order.choose(); ; place += 1) {
        try {
          const result = await (models[place] as Extract<Model, { specificationVersion: 'v4' }>).doGenerate(
            params,
          );
          order.afterAnswer(place);
          return result;
        } catch (error) {
          const { aborted: isOver = false, reason } = params.abortSignal ?? {};
          const isTimeout = isOver && (reason as Error | undefined)?.name === 'TimeoutError';
          const failure = classifyModelError(isTimeout ? reason : error);
          const hasNext = (!isOver || isTimeout) && order.afterFailure(place, failure);
          // A call that took all its time leaves none for another: the next attempt asks the next model.
          if (isOver || !hasNext) throw error;
        }
      }
    },
  };
}
