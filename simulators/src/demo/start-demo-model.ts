import { startScriptedModel } from '../model/index.ts';
import type { PlayedModel } from './play-model.ts';

/** Model that plays in a demonstration: the script, or an endpoint of your own. */
export type ChosenModel =
  | { readonly kind: 'script'; readonly api: 'responses' | 'chat' }
  | {
      readonly kind: 'endpoint';
      readonly baseUrl: string;
      readonly model: string;
      /** Null: what the daemon takes for this kind of endpoint. */
      readonly api: 'responses' | 'chat' | null;
      /** True where the variable `LLM_API_KEY` holds its key. */
      readonly hasKey: boolean;
    };

/** A model that the daemon can reach. */
export interface DemoModel {
  /** Section `llm` of the daemon's configuration. */
  readonly llm: object;
  /** One sentence on what plays the model. */
  readonly description: string;
  readonly close: () => Promise<void>;
}

/**
 * Makes the chosen model reachable: starts the script, or takes the endpoint as it is. What a real endpoint says passes
 * between it and the daemon alone.
 */
export async function startDemoModel(
  chosen: ChosenModel,
  { script, think }: Pick<PlayedModel, 'script' | 'think'>,
): Promise<DemoModel> {
  if (chosen.kind === 'endpoint') {
    const { baseUrl, model, api, hasKey } = chosen;
    return {
      llm: {
        base_url: baseUrl,
        model,
        ...(api === null ? {} : { api }),
        ...(hasKey ? { api_key_env: 'LLM_API_KEY' } : {}),
      },
      description: `The model ${model} at ${baseUrl}.`,
      close: async () => {},
    };
  }
  const { baseUrl, close } = await startScriptedModel({ script, onRequest: think });
  return {
    llm: { base_url: baseUrl, model: 'scripted-model', api: chosen.api },
    description: `A script plays the model, at ${baseUrl}. Set LLM_BASE_URL and LLM_MODEL to use a real one.`,
    close,
  };
}
