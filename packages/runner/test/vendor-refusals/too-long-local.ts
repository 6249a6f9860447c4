import { github, openai, type VendorRefusal } from './vendor-refusal.ts';

/** Refusals by local servers of requests that are longer than the window. */
export const tooLongLocal: readonly VendorRefusal[] = [
  {
    ...{ vendor: 'Ollama', status: 400, kind: 'context-too-long' },
    body: openai('prompt too long; exceeded max context length by 4120 tokens', { type: 'api_error' }),
  },
  {
    ...{
      vendor: 'LM Studio',
      status: 400,
      kind: 'context-too-long',
      known: { limitTokens: 4_096, requestTokens: 13_055 },
    },
    body: {
      error:
        'The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 13055>= n_ctx: 4096). Try to load the model with a larger context length, or provide a shorter input.',
    },
    source: github('Gitlawb/openclaude/issues/353'),
  },
  {
    ...{
      vendor: 'LM Studio',
      status: 400,
      kind: 'context-too-long',
      known: { limitTokens: 7_866, requestTokens: 10_136 },
    },
    body: {
      error:
        'Trying to keep the first 10136 tokens when context the overflows. However, the model is loaded with context length of only 7866 tokens, which is not enough. Try to load the model with a larger context length, or provide a shorter input.',
    },
    source: github('cline/cline/issues/3664'),
  },
  {
    ...{
      vendor: 'vLLM',
      status: 400,
      kind: 'context-too-long',
      known: { limitTokens: 4_096, requestTokens: 4_580 },
    },
    body: {
      object: 'error',
      message:
        "This model's maximum context length is 4096 tokens. However, you requested 5092 tokens (4580 in the messages, 512 in the completion). Please reduce the length of the messages or completion.",
      ...{ type: 'BadRequestError', param: null, code: 400 },
    },
  },
  {
    vendor: 'vLLM',
    status: 400,
    kind: 'context-too-long',
    body: {
      object: 'error',
      message: 'max_tokens must be at least 1, got -484.',
      type: 'BadRequestError',
      code: 400,
    },
  },
  {
    ...{
      vendor: 'llama.cpp',
      status: 500,
      kind: 'context-too-long',
      known: { limitTokens: 8_192, requestTokens: 14_429 },
    },
    body: openai(
      'the request exceeds the available context size. try increasing the context size or enable context shift',
      {
        ...{ code: 400, type: 'exceed_context_size_error', n_prompt_tokens: 14_429, n_ctx: 8_192 },
      },
    ),
    source: github('oobabooga/textgen/issues/7257'),
  },
  {
    vendor: 'llama-cpp-python',
    status: 400,
    kind: 'context-too-long',
    known: { limitTokens: 512, requestTokens: 516 },
    body: openai('Requested tokens (516) exceed context window of 512'),
    source: github('rllm-team/rllm/issues/55'),
  },
  {
    ...{
      vendor: 'TGI',
      status: 422,
      kind: 'context-too-long',
      known: { limitTokens: 4_096, requestTokens: 4_200 },
    },
    body: {
      error:
        'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 4200 `inputs` tokens and 1000 `max_new_tokens`',
      error_type: 'validation',
    },
  },
  {
    vendor: 'SGLang',
    status: 400,
    kind: 'context-too-long',
    known: { limitTokens: 32_768, requestTokens: 30_000 },
    body: {
      object: 'error',
      message:
        "Requested token count exceeds the model's maximum context length of 32768 tokens. You requested a total of 40000 tokens: 30000 tokens from the input messages and 10000 tokens for the completion.",
      code: 400,
    },
  },
];
