import { startScriptedModel } from '@agent/simulators/model';
import type { ChosenModel } from './choose-model.ts';
import type { PlayedModel } from './play-model.ts';
import type { ConfigurationFacts } from './write-configuration.ts';

export interface DemoModel {
  readonly llm: ConfigurationFacts['llm'];
  /** One sentence on what plays the model. */
  readonly description: string;
  readonly close: () => Promise<void>;
}

/**
 * Makes the chosen model reachable: starts the script, or takes the endpoint as it is. What a real endpoint says passes
 * between it and the daemon alone.
 */
export async function startModel(
  chosen: ChosenModel,
  { script, think }: Pick<PlayedModel, 'script' | 'think'>,
): Promise<DemoModel> {
  if (chosen.kind === 'endpoint') {
    const { baseUrl, model, api, hasKey } = chosen;
    return {
      llm: { baseUrl, model, api, apiKeyEnv: hasKey ? 'LLM_API_KEY' : null },
      description: `The model ${model} at ${baseUrl}.`,
      close: async () => {},
    };
  }
  const { baseUrl, close } = await startScriptedModel({ script, onRequest: think });
  return {
    llm: { baseUrl, model: 'scripted-model', api: chosen.api, apiKeyEnv: null },
    description: `A script that plays the model, at ${baseUrl}. Set LLM_BASE_URL and LLM_MODEL for a real one.`,
    close,
  };
}
