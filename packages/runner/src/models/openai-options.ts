import type { ProviderOptions } from '../run-options.ts';

/**
 * Options of requests by OpenAI's provider: the server stores nothing of the conversation, and gets all of it with each request.
 * Other providers do not read them. Compatible endpoints that refuse the field get requests without it.
 */
export const openAIOptions: ProviderOptions = { openai: { store: false } };
