import { github, openai, type VendorRefusal } from './vendor-refusal.ts';

export const openaiToAnthropic: readonly VendorRefusal[] = [
  // OpenAI
  {
    ...{ vendor: 'OpenAI', status: 429, kind: 'no-quota' },
    body: openai('You exceeded your current quota, please check your plan and billing details.', {
      ...{ type: 'insufficient_quota', param: null, code: 'insufficient_quota' },
    }),
    headers: { 'x-ratelimit-reset-requests': '1s' },
  },
  {
    ...{ vendor: 'OpenAI', status: 429, kind: 'rate-limited', known: { retryAfterMs: 6_500 } },
    body: openai(
      'Rate limit reached for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Used 25000, Requested 8250. Please try again in 6.5s.',
      { type: 'tokens', param: null, code: 'rate_limit_exceeded' },
    ),
  },
  {
    ...{ vendor: 'OpenAI', status: 429, kind: 'rate-limited', known: { retryAfterMs: 432_000 } },
    body: openai('Rate limit reached for requests per day. Please try again in 7m12s.'),
  },
  {
    ...{ vendor: 'OpenAI', status: 401, kind: 'unauthorized' },
    body: openai('Incorrect API key provided: sk-ab***cd.', {
      type: 'invalid_request_error',
      code: 'invalid_api_key',
    }),
  },
  {
    ...{ vendor: 'OpenAI', status: 404, kind: 'unknown-model' },
    body: openai('The model `gpt-9` does not exist or you do not have access to it.', {
      ...{ type: 'invalid_request_error', code: 'model_not_found' },
    }),
  },
  {
    ...{ vendor: 'OpenAI', status: 400, kind: 'context-too-long' },
    known: { limitTokens: 8_192, requestTokens: 9_500 },
    body: openai(
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 9500 tokens. Please reduce the length of the messages.",
      { type: 'invalid_request_error', param: 'messages', code: 'context_length_exceeded' },
    ),
  },
  {
    ...{ vendor: 'OpenAI', status: 400, kind: 'unclear' },
    body: openai("Unknown parameter: 'reasoning_split'.", {
      type: 'invalid_request_error',
      code: 'unknown_parameter',
    }),
  },
  {
    ...{ vendor: 'OpenAI', status: 400, kind: 'unclear' },
    body: openai('max_tokens is too large: 100000. This model supports at most 16384 completion tokens.', {
      ...{ type: 'invalid_request_error', param: 'max_tokens', code: 'invalid_value' },
    }),
  },
  {
    ...{ vendor: 'OpenAI', status: 503, kind: 'not-ready' },
    body: openai('The engine is currently overloaded, please try again later', { type: 'server_error' }),
  },
  // Anthropic
  {
    ...{ vendor: 'Anthropic', status: 400, kind: 'no-quota' },
    body: {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message:
          'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.',
      },
    },
  },
  {
    ...{ vendor: 'Anthropic', status: 529, kind: 'not-ready' },
    body: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
  },
  {
    ...{ vendor: 'Anthropic', status: 429, kind: 'rate-limited', known: { retryAfterMs: 60_000 } },
    headers: {
      'anthropic-ratelimit-input-tokens-remaining': '0',
      'anthropic-ratelimit-input-tokens-reset': '2026-01-02T00:01:00Z',
    },
    body: {
      type: 'error',
      error: {
        type: 'rate_limit_error',
        message:
          'This request would exceed the rate limit for your organization of 30,000 input tokens per minute.',
      },
    },
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
    ...{ vendor: 'Anthropic', status: 401, kind: 'unauthorized' },
    body: { type: 'error', error: { type: 'authentication_error', message: 'invalid x-api-key' } },
  },
  {
    ...{ vendor: 'Anthropic', status: 404, kind: 'unknown-model' },
    body: { type: 'error', error: { type: 'not_found_error', message: 'model: claude-9' } },
  },
];
