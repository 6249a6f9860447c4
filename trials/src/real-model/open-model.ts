import { fileURLToPath } from 'node:url';
import { createLlamaEngine } from './front/llama-engine.ts';
import { type Front, type FrontExchange, startFront } from './front/start-front.ts';
import { installLlama, installModel } from './install-model.ts';
import type { TrialModel } from './trial-models.ts';

/** Directory that keeps downloads. */
const cache = fileURLToPath(new URL('../../../.cache/real-model', import.meta.url));

export interface OpenModelOptions {
  readonly model: TrialModel;
  /** Size of the window in tokens. */
  readonly window: number;
  readonly threads: number;
  /** Limit of tokens for each answer. */
  readonly answerTokens: number;
  /** Seed of the sampler for the next answer. */
  readonly nextSeed: () => number;
  readonly onExchange: (exchange: FrontExchange) => void;
}

/** Starts the model with its endpoint, downloading it the first time. */
export async function openModel({
  model,
  window: contextLength,
  threads,
  answerTokens: maxAnswerTokens,
  nextSeed,
  onExchange,
}: OpenModelOptions): Promise<{ readonly front: Front; readonly close: () => Promise<void> }> {
  const options = { cache, print: console.log };
  const library = await installLlama(options);
  const file = await installModel(model, options);
  const engine = await createLlamaEngine({
    ...{ library, file, model: model.name, contextLength, threads, nextSeed, maxAnswerTokens },
  });
  const front = await startFront({ engine, onExchange });
  console.log(`${model.title}, window ${contextLength}, at ${front.baseUrl}`);
  return {
    front,
    close: async () => {
      await front.close();
      await engine.close();
    },
  };
}
