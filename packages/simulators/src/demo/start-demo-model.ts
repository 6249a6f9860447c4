import { startScriptedModel } from '../model/index.ts';
import type { PlayedModel } from './play-model.ts';

/** Model that plays in a demonstration: the script, or an endpoint of your own. */
export type ChosenModel =
  | {
      readonly kind: 'script';
      readonly api: 'responses' | 'chat';
      /** Tokens that the model takes. Default: those of the daemon's preset. */
      readonly contextLength?: number | undefined;
    }
  | {
      readonly kind: 'endpoint';
      readonly baseUrl: string;
      readonly model: string;
      /** Null: what the daemon takes for this kind of endpoint. */
      readonly api: 'responses' | 'chat' | null;
      /** True where the variable `LLM_API_KEY` holds its key. */
      readonly hasKey: boolean;
      /** Tokens that the model takes. Default: what the daemon assumes or finds out. */
      readonly contextLength?: number | undefined;
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
    const { baseUrl, model, api, hasKey, contextLength } = chosen;
    return {
      llm: {
        base_url: baseUrl,
        model,
        ...(api === null ? {} : { api }),
        ...(hasKey ? { api_key_env: 'LLM_API_KEY' } : {}),
        ...toWindow(contextLength),
      },
      description: `The model ${model} at ${baseUrl}.`,
      close: async () => {},
    };
  }
  const { api, contextLength } = chosen;
  const { baseUrl, close } = await startScriptedModel({ script, onRequest: think, contextLength });
  return {
    llm: { base_url: baseUrl, model: 'scripted-model', api, ...toWindow(contextLength) },
    description: `A script plays the model, at ${baseUrl}. Set LLM_BASE_URL and LLM_MODEL to use a real one.`,
    close,
  };
}

function toWindow(contextLength: number | undefined): object {
  return contextLength === undefined ? {} : { context_length: contextLength };
}
