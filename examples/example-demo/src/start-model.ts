import { startScriptedModel, withFinalSummaries } from 'example-scripted-model';
import type { ChosenModel } from './choose-model.ts';
import { fixDiscount } from './fix-discount.ts';
import type { ConfigurationFacts } from './write-configuration.ts';

export interface DemoModel {
  readonly llm: ConfigurationFacts['llm'];
  /** One sentence on what plays the model. */
  readonly description: string;
  readonly close: () => Promise<void>;
}

/**
 * Makes the chosen model reachable: starts the script, or takes the endpoint as it is. `onText` hears what the
 * script says; what a real endpoint says passes between it and the daemon alone.
 */
export async function startModel(
  chosen: ChosenModel,
  { onText }: { readonly onText: (text: string) => void },
): Promise<DemoModel> {
  if (chosen.kind === 'endpoint') {
    const { baseUrl, model, api, hasKey } = chosen;
    return {
      llm: { baseUrl, model, api, apiKeyEnv: hasKey ? 'LLM_API_KEY' : null },
      description: `The model ${model} at ${baseUrl}.`,
      close: async () => {},
    };
  }
  const script = await startScriptedModel({
    script: withFinalSummaries((view) => {
      const reply = fixDiscount(view);
      onText(reply.text ?? '');
      return reply;
    }),
  });
  return {
    llm: { baseUrl: script.baseUrl, model: 'scripted-model', api: chosen.api, apiKeyEnv: null },
    description: `A script that plays the model, at ${script.baseUrl}. Set LLM_BASE_URL and LLM_MODEL for a real one.`,
    close: script.close,
  };
}
