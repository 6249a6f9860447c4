import { github, openai, type VendorRefusal } from './vendor-refusal.ts';

export const lmStudioToDeepseek: readonly VendorRefusal[] = [
  // LM Studio
  {
    vendor: 'LM Studio',
    status: 400,
    kind: 'not-ready',
    body: { error: 'Model unloaded.' },
    source: github('lmstudio-ai/lmstudio-bug-tracker/issues/1347'),
  },
  {
    vendor: 'LM Studio',
    status: 400,
    kind: 'not-ready',
    body: { error: 'Model is unloaded.' },
    source: github('lmstudio-ai/lmstudio-bug-tracker/issues/1492'),
  },
  {
    vendor: 'LM Studio',
    status: 400,
    kind: 'not-ready',
    body: { error: 'Channel Error' },
    source: github('lmstudio-ai/lmstudio-bug-tracker/issues/1170'),
  },
  {
    vendor: 'LM Studio',
    status: 400,
    kind: 'not-ready',
    body: {
      error: {
        message: 'Failed to load model "qwen3-8b". Error: Operation canceled.',
        type: 'invalid_request_error',
        param: 'model',
        code: null,
      },
    },
  },
  {
    ...{ vendor: 'LM Studio', status: 400, kind: 'not-ready' },
    body: {
      error: 'The model has crashed without additional information. (Exit code: 18446744072635812000)',
    },
    source: github('lmstudio-ai/lmstudio-bug-tracker/issues/914'),
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
    vendor: 'LM Studio',
    status: 404,
    kind: 'unknown-model',
    body: openai(
      'No models loaded. Please load a model in the developer page or use the `lms load` command.',
      { type: 'invalid_request_error' },
    ),
  },
  // vLLM
  {
    ...{ vendor: 'vLLM', status: 400, kind: 'no-tools' },
    body: {
      object: 'error',
      message: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
      type: 'BadRequestError',
      param: null,
      code: 400,
    },
    source: github('langchain4j/langchain4j/issues/3475'),
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
    vendor: 'vLLM',
    status: 404,
    kind: 'unknown-model',
    body: { object: 'error', message: 'The model `m` does not exist.', type: 'NotFoundError', code: 404 },
  },
  // llama.cpp
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
    vendor: 'llama.cpp',
    status: 503,
    kind: 'not-ready',
    body: openai('Loading model', { code: 503, type: 'unavailable_error' }),
  },
  {
    vendor: 'llama.cpp',
    status: 500,
    kind: 'no-tools',
    body: openai('tools param requires --jinja flag', { code: 500, type: 'server_error' }),
  },
  {
    vendor: 'llama.cpp',
    status: 500,
    kind: 'bad-call',
    body: openai('Failed to parse input at pos 12: <|channel|>commentary', {
      code: 500,
      type: 'server_error',
    }),
  },
  {
    vendor: 'llama-cpp-python',
    status: 400,
    kind: 'context-too-long',
    known: { limitTokens: 512, requestTokens: 516 },
    body: openai('Requested tokens (516) exceed context window of 512'),
    source: github('rllm-team/rllm/issues/55'),
  },
  // TGI
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
    vendor: 'TGI',
    status: 429,
    kind: 'rate-limited',
    body: { error: 'Model is overloaded', error_type: 'overloaded' },
  },
  // Cohere
  {
    ...{
      vendor: 'Cohere',
      status: 400,
      kind: 'context-too-long',
      known: { limitTokens: 4_081, requestTokens: 5_000 },
    },
    body: {
      message:
        'too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 5000. Try using a shorter prompt, or enabling prompt truncating.',
    },
  },
  { vendor: 'Cohere', status: 401, kind: 'unauthorized', body: { message: 'invalid api token' } },
  {
    vendor: 'Cohere',
    status: 429,
    kind: 'rate-limited',
    body: { message: 'You are using a Trial key, which is limited to 20 API calls / minute.' },
  },
  // DeepSeek
  {
    ...{
      vendor: 'DeepSeek',
      status: 400,
      kind: 'context-too-long',
      known: { limitTokens: 131_072, requestTokens: 150_867 },
    },
    body: openai(
      "This model's maximum context length is 131072 tokens. However, you requested 154963 tokens (150867 in the messages, 4096 in the completion). Please reduce the length of the messages or completion.",
      { type: 'invalid_request_error' },
    ),
    source: github('continuedev/continue/issues/10342'),
  },
  {
    vendor: 'DeepSeek',
    status: 402,
    kind: 'no-quota',
    body: openai('Insufficient Balance', { type: 'unknown_error', code: 'invalid_request_error' }),
    source: github('continuedev/continue/issues/11787'),
  },
  {
    vendor: 'DeepSeek',
    status: 401,
    kind: 'unauthorized',
    body: openai('Authentication Fails (no such user)', { type: 'authentication_error' }),
  },
];
