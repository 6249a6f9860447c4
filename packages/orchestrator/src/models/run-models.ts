import {
  type CallSpending,
  FallbackOrder,
  type ModelPrice,
  type ModelTask,
  measureModel,
  meterModel,
  type TaskModel,
  withFallbacks,
  withPromptCache,
} from '@agent/runner/models';
import type { Locale } from '@agent/text';
import type { LanguageModel } from 'ai';
import type { ObserveBoard } from '../board/board-event.ts';
import { findPriceGaps, hasLimit, unpriced } from '../config/spending-settings.ts';
import type { ConfiguredModel, RunLogger } from '../host/ports.ts';
import type { Payer } from '../spending/payer.ts';
import { openRunSpending, type RunSpending, type SpendingServices } from '../spending/run-spending.ts';
import type { ModelWatch } from './watch-model.ts';

/** Models of one run, by what they are for. Their calls are paid by the run. */
export interface RunModels extends Readonly<Record<ModelTask, LanguageModel>> {
  /** The model that plans, by the chat endpoint; null for none. */
  readonly planningChat: LanguageModel | null;
  /** Null where nothing costs anything. */
  readonly spending: RunSpending | null;
}

/** Opens the models of a run. */
export type OpenRunModels = (payer: Payer, locale: Locale) => RunModels;

/** Parts that the models of all runs share. */
export interface RunModelsOptions {
  readonly model: ConfiguredModel;
  readonly watch: Pick<ModelWatch, 'circuit'>;
  /** Prices by the names of models. */
  readonly prices: Readonly<Record<string, ModelPrice>>;
  /** Null where no price is known. */
  readonly spending: SpendingServices | null;
  /** Told of each request to a model. */
  readonly observe: ObserveBoard;
  readonly logger: RunLogger;
}

/** Creates it. What fails is remembered for all runs: the watch over the endpoint, and which model is asked in the place of another. */
export function createOpenRunModels(options: RunModelsOptions): OpenRunModels {
  const { model: configured, watch, prices, spending: services, observe, logger } = options;
  if (services !== null) requirePrices(configured, { ...services, prices });
  const opened = { planning: openTask('planning'), work: openTask('work'), summary: openTask('summary') };

  function openTask(task: ModelTask) {
    const models = configured.tasks?.[task] ?? [configured];
    const onChange = (place: number): void =>
      logger.warn({ task, model: models[place]?.description.model }, 'switched model');
    return {
      models,
      order: new FallbackOrder({ count: models.length, onChange }),
      isOwn: configured.tasks?.[task],
    };
  }

  return (payer, locale) => {
    const unobserved = services === null ? null : openRunSpending(services, { payer, locale });
    const spending = unobserved && {
      ...unobserved,
      calls: observeCosts(unobserved.calls, { uuid: payer.uuid, observe }),
    };
    const pay = (model: LanguageModel, { description, promptCache = null }: Omit<TaskModel, 'model'>) => {
      const price = prices[description.model];
      if (typeof model === 'string') return model;
      const { provider } = model;
      const measured = measureModel(model, {
        onBegin: () => {
          const call = { uuid: payer.uuid };
          observe({ type: 'model-wait', call, begins: true });
          return ({ isAnswered }) => observe({ type: 'model-wait', call, begins: false, isAnswered });
        },
        onCall: (call) => observe({ type: 'model-call', provider, model: description.model, ...call }),
      });
      const cached = withPromptCache(measured, { way: promptCache, key: payer.uuid });
      const calls = spending?.calls ?? null;
      return price === undefined ? cached : meterModel(cached, { price, spending: calls, logger });
    };
    const open = (task: ModelTask, pick: (one: TaskModel) => LanguageModel) => {
      const { models, order, isOwn } = opened[task];
      const [first, ...others] = models.map((one) => pay(pick(one), one));
      const model = others.length === 0 ? first : withFallbacks([first, ...others] as Metered[], order);
      // Whatever a summary is written by, the work does not wait for it.
      return task === 'summary' && isOwn
        ? (model as LanguageModel)
        : watch.circuit.watch(model as LanguageModel);
    };
    const plain = ({ model }: TaskModel) => model;
    const hasChat = opened.planning.models.every(({ chatModel }) => chatModel !== null);
    return {
      work: open('work', plain),
      planning: open('planning', plain),
      summary: open('summary', plain),
      planningChat: hasChat ? open('planning', ({ model, chatModel }) => chatModel ?? model) : null,
      spending,
    };
  };
}

/** The same spending, whose settled calls are observed. */
function observeCosts(
  { reserve }: CallSpending,
  { uuid, observe }: { readonly uuid: string; readonly observe: ObserveBoard },
): CallSpending {
  return {
    reserve: async (micros, options) => {
      const settle = await reserve(micros, options);
      return async (cost) => {
        await settle(cost);
        if (cost.micros > 0) observe({ type: 'call-cost', uuid, micros: cost.micros });
      };
    },
  };
}

/** Tokens of the smallest window of the models that may be asked for these tasks. */
export function findContextLength(
  configured: Pick<ConfiguredModel, 'description' | 'tasks'>,
  tasks: readonly ModelTask[],
): number {
  const models = tasks.flatMap(
    (task): readonly Pick<ConfiguredModel, 'description'>[] => configured.tasks?.[task] ?? [configured],
  );
  return Math.min(...models.map(({ description }) => description.contextLength));
}

/** @throws ModelSettingsError for a model whose calls no limit would hold */
function requirePrices(
  configured: ConfiguredModel,
  { limits, prices }: Pick<SpendingServices, 'limits'> & Pick<RunModelsOptions, 'prices'>,
): void {
  if (!hasLimit(limits)) return;
  const [found] = findPriceGaps(configured, prices).unpriced;
  if (found !== undefined) throw unpriced(found);
}

type Metered = Exclude<LanguageModel, string>;
