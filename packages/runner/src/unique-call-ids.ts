import { type LanguageModel, type LanguageModelMiddleware, wrapLanguageModel } from 'ai';

/**
 * The same model, whose calls within one answer each have an id of their own. Models that run locally repeat an
 * id or leave it empty, and the SDK then takes all of them for the first.
 */
export function withUniqueCallIds(model: LanguageModel): LanguageModel {
  // A name stands for a model of the SDK's global provider, which is none of the local ones.
  return typeof model === 'string' ? model : wrapLanguageModel({ model, middleware });
}

const middleware: LanguageModelMiddleware = {
  specificationVersion: 'v4',
  wrapGenerate: async ({ doGenerate }) => {
    const result = await doGenerate();
    const taken = new Set<string>();
    const content = result.content.map((part) => {
      if (part.type !== 'tool-call' || part.providerExecuted) return part;
      const toolCallId = toUnusedId(part.toolCallId || 'call', taken);
      taken.add(toolCallId);
      return toolCallId === part.toolCallId ? part : { ...part, toolCallId };
    });
    return { ...result, content };
  },
};

function toUnusedId(id: string, taken: ReadonlySet<string>): string {
  if (!taken.has(id)) return id;
  let number = 2;
  while (taken.has(`${id}-${number}`)) number += 1;
  return `${id}-${number}`;
}
