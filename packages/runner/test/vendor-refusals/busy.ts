import { github, openai, type VendorRefusal } from './vendor-refusal.ts';

/** Refusals that pass: limits over a time, and servers that are busy or loading. */
export const busy: readonly VendorRefusal[] = [
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
    ...{ vendor: 'Gemini', status: 429, kind: 'rate-limited', known: { retryAfterMs: 20_000 } },
    body: [
      openai(
        'You exceeded your current quota, please check your plan and billing details. Please retry in 20.837s.',
        {
          ...{ code: 429, status: 'RESOURCE_EXHAUSTED' },
          details: [
            {
              '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
              violations: [
                { quotaId: 'GenerateRequestsPerMinutePerProjectPerModel-FreeTier', quotaValue: '10' },
              ],
            },
            { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '20s' },
          ],
        },
      ),
    ],
  },
  {
    ...{ vendor: 'Gemini', status: 429, kind: 'rate-limited', known: { retryAfterMs: 20_837 } },
    body: openai(
      'You exceeded your current quota, please check your plan and billing details. Please retry in 20.837s.',
      {
        ...{ code: 429, status: 'RESOURCE_EXHAUSTED' },
      },
    ),
  },
  {
    ...{ vendor: 'Gemini', status: 429, kind: 'rate-limited' },
    body: [
      openai(
        "Quota exceeded for quota metric 'Gemini 2.5 Pro Requests' and limit 'Gemini 2.5 Pro Requests per day per user per tier' of service 'cloudcode-pa.googleapis.com' for consumer 'project_number:681255809395'.",
        {
          code: 429,
          errors: [{ domain: 'global', reason: 'rateLimitExceeded' }],
          status: 'RESOURCE_EXHAUSTED',
        },
      ),
    ],
    source: github('google-gemini/gemini-cli/issues/10925'),
  },
  {
    ...{ vendor: 'Gemini', status: 429, kind: 'rate-limited' },
    body: [
      openai(
        'Resource exhausted. Please try again later. Please refer to https://cloud.google.com/vertex-ai/generative-ai/docs/error-code-429 for more details.',
        {
          ...{ code: 429, status: 'RESOURCE_EXHAUSTED' },
        },
      ),
    ],
    source: github('google-gemini/gemini-cli/issues/14831'),
  },
  {
    ...{ vendor: 'Groq', status: 429, kind: 'rate-limited', known: { retryAfterMs: 578_016 } },
    body: openai(
      'Rate limit reached for model `llama-3.3-70b-versatile` in organization `org_01kjh7p9n8f1qs6nz2bz77vy6b` service tier `on_demand` on tokens per day (TPD): Limit 100000, Used 97050, Requested 3619. Please try again in 9m38.016s. Need more tokens? Upgrade to Dev Tier today at https://console.groq.com/settings/billing',
    ),
    source: github('continuedev/continue/issues/10920'),
  },
  {
    ...{ vendor: 'Mistral', status: 429, kind: 'rate-limited' },
    body: {
      object: 'error',
      message: 'Service tier capacity exceeded for this model.',
      type: 'service_tier_capacity_exceeded',
      code: '3505',
    },
  },
  {
    ...{ vendor: 'OpenRouter', status: 429, kind: 'rate-limited' },
    body: openai('Provider returned error', {
      code: 429,
      metadata: {
        raw: 'z-ai/glm-5.3-flash is temporarily rate-limited upstream. Please retry shortly, or add your own key to accumulate your rate limits: ...',
        ...{ provider_name: 'BaseTen', limit_source: 'upstream_provider_shared_pool' },
        remedy_hint: 'Retry shortly, add your own provider key, or route to another provider',
      },
    }),
    source: github('open-webui/computer/issues/293'),
  },
  {
    ...{ vendor: 'OpenRouter', status: 429, kind: 'rate-limited', known: { retryAfterMs: 7_200_000 } },
    body: openai(
      'Rate limit exceeded: free-models-per-day. Add 10 credits to unlock 1000 free model requests per day',
      {
        code: 429,
        metadata: {
          headers: {
            'X-RateLimit-Limit': '50',
            'X-RateLimit-Remaining': '0',
            'X-RateLimit-Reset': '1767319200000',
          },
        },
      },
    ),
    source: github('Gitlawb/openclaude/issues/936'),
  },
  {
    ...{ vendor: 'OpenRouter', status: 200, kind: 'rate-limited' },
    body: {
      choices: [{ finish_reason: 'stop', index: 0, message: { content: null, role: 'assistant' } }],
      ...openai('Provider returned error', {
        code: 429,
        metadata: { raw: 'error code: 1015', provider_name: 'Kluster' },
      }),
    },
    source: github('BerriAI/litellm/issues/8448'),
  },
  {
    vendor: 'TGI',
    status: 429,
    kind: 'rate-limited',
    body: { error: 'Model is overloaded', error_type: 'overloaded' },
  },
  {
    vendor: 'Cohere',
    status: 429,
    kind: 'rate-limited',
    body: { message: 'You are using a Trial key, which is limited to 20 API calls / minute.' },
  },
  {
    vendor: 'Cerebras',
    status: 429,
    kind: 'rate-limited',
    body: {
      message: 'Tokens per minute limit exceeded - too many tokens processed.',
      type: 'too_many_tokens_error',
      code: 'token_quota_exceeded',
    },
    source: github('continuedev/continue/issues/9800'),
  },
  {
    vendor: 'Azure',
    status: 429,
    kind: 'rate-limited',
    known: { retryAfterMs: 26_000 },
    body: openai(
      'Requests to the ChatCompletions_Create Operation have exceeded call rate limit of your current OpenAI S0 pricing tier. Please retry after 26 seconds.',
      { code: '429' },
    ),
  },
  {
    vendor: 'Bedrock',
    status: 429,
    kind: 'rate-limited',
    body: { message: 'Too many tokens, please wait before trying again.' },
    headers: { 'x-amzn-errortype': 'ThrottlingException' },
    source: github('aws-samples/well-architected-iac-analyzer/issues/25'),
  },
  {
    ...{ vendor: 'OpenAI', status: 503, kind: 'not-ready' },
    body: openai('The engine is currently overloaded, please try again later', { type: 'server_error' }),
  },
  {
    ...{ vendor: 'Anthropic', status: 529, kind: 'not-ready' },
    body: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
  },
  {
    ...{ vendor: 'Gemini', status: 503, kind: 'not-ready' },
    body: openai('The model is overloaded. Please try again later.', { code: 503, status: 'UNAVAILABLE' }),
  },
  {
    ...{ vendor: 'OpenRouter', status: 200, kind: 'not-ready' },
    body: openai('Provider returned error', { code: 502 }),
    source: github('SWE-agent/mini-swe-agent/issues/902'),
  },
  {
    vendor: 'Ollama',
    status: 500,
    kind: 'not-ready',
    body: openai('llama runner process has terminated: exit status 2'),
  },
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
    vendor: 'llama.cpp',
    status: 503,
    kind: 'not-ready',
    body: openai('Loading model', { code: 503, type: 'unavailable_error' }),
  },
  {
    vendor: 'Together',
    status: 503,
    kind: 'not-ready',
    body: openai('The server is overloaded or not ready yet.', { type: 'service_unavailable' }),
  },
  { vendor: 'Envoy', status: 503, kind: 'not-ready', body: 'no healthy upstream' },
  {
    vendor: 'LiteLLM',
    status: 500,
    kind: 'not-ready',
    body: openai('context deadline exceeded while sending request', { code: 500 }),
  },
  {
    vendor: 'nginx',
    status: 502,
    kind: 'server-error',
    body: '<html><head><title>502 Bad Gateway</title></head></html>',
  },
];
