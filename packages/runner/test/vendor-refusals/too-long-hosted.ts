import { github, openai, type VendorRefusal } from './vendor-refusal.ts';

/** Refusals by vendors of requests that are longer than the window. */
export const tooLongHosted: readonly VendorRefusal[] = [
  {
    ...{ vendor: 'OpenAI', status: 400, kind: 'context-too-long' },
    known: { limitTokens: 8_192, requestTokens: 9_500 },
    body: openai(
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 9500 tokens. Please reduce the length of the messages.",
      { type: 'invalid_request_error', param: 'messages', code: 'context_length_exceeded' },
    ),
  },
  {
    ...{ vendor: 'Anthropic', status: 400, kind: 'context-too-long' },
    known: { limitTokens: 200_000, requestTokens: 208_310 },
    body: {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'prompt is too long: 208310 tokens > 200000 maximum' },
    },
  },
  {
    ...{ vendor: 'Anthropic on Bedrock', status: 400, kind: 'context-too-long' },
    known: { limitTokens: 204_698, requestTokens: 196_395 },
    body: {
      message:
        'The model returned the following errors: input length and `max_tokens` exceed context limit: 196395 + 64000 > 204698, decrease input length or `max_tokens` and try again',
    },
    headers: { 'x-amzn-errortype': 'ValidationException' },
    source: github('RooCodeInc/Roo-Code/issues/3713'),
  },
  {
    ...{
      vendor: 'Gemini',
      status: 400,
      kind: 'context-too-long',
      known: { limitTokens: 1_048_576, requestTokens: null },
    },
    body: openai('The input token count exceeds the maximum number of tokens allowed (1048576).', {
      ...{ code: 400, status: 'INVALID_ARGUMENT' },
    }),
    source: github('arkavo-org/arkavo-edge/issues/371'),
  },
  {
    ...{
      vendor: 'Gemini',
      status: 400,
      kind: 'context-too-long',
      known: { limitTokens: 1_048_576, requestTokens: 1_200_123 },
    },
    body: openai('The input token count (1200123) exceeds the maximum number of tokens allowed (1048576).', {
      ...{ code: 400, status: 'INVALID_ARGUMENT' },
    }),
  },
  {
    ...{
      vendor: 'xAI',
      status: 400,
      kind: 'context-too-long',
      known: { limitTokens: 131_072, requestTokens: 537_812 },
    },
    body: {
      code: 'Client specified an invalid argument',
      error: "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    },
    source: github('earendil-works/pi/issues/4943'),
  },
  {
    ...{
      vendor: 'Groq',
      status: 413,
      kind: 'context-too-long',
      known: { limitTokens: 6_000, requestTokens: 14_368 },
    },
    body: openai(
      'Request too large for model `llama-3.1-70b-versatile` in organization `org_01hw8f0aa0ekmrn70ffm2zkdv1` on tokens per minute (TPM): Limit 6000, Requested 14368, please reduce your message size and try again. Visit https://console.groq.com/docs/rate-limits for more information.',
      { type: 'tokens', code: 'rate_limit_exceeded' },
    ),
    source: github('assafelovic/gpt-researcher/issues/985'),
  },
  {
    ...{
      vendor: 'Groq',
      status: 429,
      kind: 'context-too-long',
      known: { limitTokens: 7_000, requestTokens: 12_903 },
    },
    body: openai(
      'Rate limit reached for model `llama3-70b-8192` in organization `org_01hrsvc1b8ey0anvbgha0xckf2` on tokens per minute (TPM): Limit 7000, Used 0, Requested ~12903. Please try again in 50.597142857s. Visit https://console.groq.com/docs/rate-limits for more information.',
      { type: 'tokens', code: 'rate_limit_exceeded' },
    ),
    source: github('danielmiessler/Fabric/issues/364'),
  },
  {
    ...{
      vendor: 'Mistral',
      status: 400,
      kind: 'context-too-long',
      known: { limitTokens: 32_768, requestTokens: 40_000 },
    },
    body: {
      object: 'error',
      message:
        'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
      ...{ type: 'invalid_request_prompt', code: '3051' },
    },
  },
  {
    ...{
      vendor: 'OpenRouter',
      status: 400,
      kind: 'context-too-long',
      known: { limitTokens: 131_072, requestTokens: 190_000 },
    },
    body: openai('Provider returned error', {
      code: 400,
      metadata: {
        raw: JSON.stringify(
          openai(
            "This endpoint's maximum context length is 131072 tokens. However, you requested about 200000 tokens (190000 of text input, 10000 in the output).",
          ),
        ),
      },
    }),
  },
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
    vendor: 'Together',
    status: 422,
    kind: 'context-too-long',
    body: openai('Input validation error: `inputs` must have less than 8193 tokens. Given: 9000', {
      type: 'invalid_request_error',
    }),
    known: { limitTokens: 8_193, requestTokens: 9_000 },
  },
  {
    vendor: 'Fireworks',
    status: 400,
    kind: 'context-too-long',
    known: { limitTokens: 131_071, requestTokens: 137_500 },
    body: openai('The prompt is too long: 137500, model maximum context length: 131071', {
      object: 'error',
      type: 'invalid_request_error',
    }),
  },
  {
    vendor: 'Cerebras',
    status: 400,
    kind: 'context-too-long',
    known: { limitTokens: 8_192, requestTokens: 9_123 },
    body: {
      message:
        'Please reduce the length of the messages or completion. Current length is 9123 while limit is 8192',
      type: 'invalid_request_error',
      code: 'context_length_exceeded',
    },
  },
  {
    vendor: 'Bedrock',
    status: 400,
    kind: 'context-too-long',
    body: { message: 'Input is too long for requested model.' },
    headers: { 'x-amzn-errortype': 'ValidationException:http://x' },
    source: github('aws-samples/bedrock-chat/issues/95'),
  },
  {
    vendor: 'Bedrock',
    status: 400,
    kind: 'context-too-long',
    known: { limitTokens: 42_000, requestTokens: 46_735 },
    body: {
      message:
        'Malformed input request: expected maxLength: 42000, actual: 46735, please reformat your input and try again.',
    },
    source: github('ryanadoty/Amazon-Bedrock-Amazon-RDS-POC/issues/9'),
  },
  {
    vendor: 'nginx',
    status: 413,
    kind: 'context-too-long',
    body: '<html><head><title>413 Request Entity Too Large</title></head></html>',
  },
  {
    vendor: 'Moonshot',
    status: 400,
    kind: 'context-too-long',
    known: { limitTokens: 262_144 },
    body: openai('Invalid request: Your request exceeded model token limit: 262144', {
      type: 'invalid_request_error',
    }),
    source: github('anomalyco/opencode/issues/27519'),
  },
  {
    vendor: 'GitHub Copilot',
    status: 400,
    kind: 'context-too-long',
    known: { limitTokens: 128_000, requestTokens: 128_998 },
    body: openai('prompt token count of 128998 exceeds the limit of 128000', {
      code: 'model_max_prompt_tokens_exceeded',
    }),
    source: github('earendil-works/pi/issues/6262'),
  },
  {
    vendor: 'GitHub Models',
    status: 413,
    kind: 'context-too-long',
    known: { limitTokens: 8_000 },
    body: openai('Request body too large for gpt-4o model. Max size: 8000 tokens.', {
      code: 'tokens_limit_reached',
    }),
  },
  {
    vendor: 'DashScope',
    status: 400,
    kind: 'context-too-long',
    body: openai('Range of input length should be [1, 30720]', { code: 'invalid_parameter_error' }),
  },
  {
    vendor: 'z.ai',
    status: 400,
    kind: 'context-too-long',
    body: openai('Prompt exceeds max length', { code: '1261' }),
  },
  {
    vendor: 'MiniMax',
    status: 400,
    kind: 'context-too-long',
    body: openai('invalid params, context window exceeds limit (2013)', { type: 'bad_request_error' }),
  },
];
