import { type LanguageModel, type LanguageModelMiddleware, wrapLanguageModel } from 'ai';

/** Way to ask a provider to keep the beginning of a conversation; what others do by themselves needs none. */
export type PromptCache = 'anthropic' | 'bedrock' | 'openai';

type Params = Parameters<NonNullable<LanguageModelMiddleware['transformParams']>>[0]['params'];
type Options = NonNullable<Params['providerOptions']>;

const marks: Readonly<Record<'anthropic' | 'bedrock', Options>> = {
  anthropic: { anthropic: { cacheControl: { type: 'ephemeral' } } },
  bedrock: { bedrock: { cachePoint: { type: 'default' } } },
};

/**
 * The same model, which asks its provider to keep the conversation so far for the next request: by a key that the requests of one
 * conversation share, or by marks at the end of the system's prompt and of the conversation.
 *
 * @see https://platform.openai.com/docs/guides/prompt-caching
 * @see https://docs.claude.com/en/docs/build-with-claude/prompt-caching
 */
export function withPromptCache(
  model: Exclude<LanguageModel, string>,
  { way, key }: { readonly way: PromptCache | null; readonly key: string },
): Exclude<LanguageModel, string> {
  if (way === null) return model;
  const transform = way === 'openai' ? (params: Params) => withKey(params, key) : toMarked(marks[way]);
  return wrapLanguageModel({
    model,
    middleware: { specificationVersion: 'v4', transformParams: async ({ params }) => transform(params) },
  });
}

function withKey(params: Params, key: string): Params {
  return { ...params, providerOptions: merge(params.providerOptions, { openai: { promptCacheKey: key } }) };
}

function toMarked(mark: Options) {
  return (params: Params): Params => {
    const lastOfSystem = params.prompt.findLastIndex(({ role }) => role === 'system');
    const marked = new Set([lastOfSystem, params.prompt.length - 1]);
    const prompt = params.prompt.map((message, index) =>
      marked.has(index) ? { ...message, providerOptions: merge(message.providerOptions, mark) } : message,
    );
    return { ...params, prompt };
  };
}

function merge(one: Options = {}, other: Options): Options {
  const added = Object.entries(other).map(([name, options]) => [name, { ...one[name], ...options }]);
  return { ...one, ...Object.fromEntries(added) };
}
