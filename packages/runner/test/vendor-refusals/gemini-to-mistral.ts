import { github, openai, type VendorRefusal } from './vendor-refusal.ts';

export const geminiToMistral: readonly VendorRefusal[] = [
  // Gemini
  {
    ...{ vendor: 'Gemini', status: 400, kind: 'unauthorized' },
    body: [
      openai('API key not valid. Please pass a valid API key.', {
        ...{ code: 400, status: 'INVALID_ARGUMENT' },
        details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }],
      }),
    ],
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
    ...{ vendor: 'Gemini', status: 429, kind: 'no-quota' },
    body: openai(
      'You exceeded your current quota, please check your plan and billing details. * Quota exceeded for metric: generate_content_free_tier_requests, limit: 0. Please retry in 20.837s.',
      { code: 429, status: 'RESOURCE_EXHAUSTED' },
    ),
  },
  {
    ...{ vendor: 'Gemini', status: 429, kind: 'no-quota' },
    body: openai(
      JSON.stringify(
        openai(
          'You exceeded your current quota, please check your plan and billing details. For more information on this error, head to: https://ai.google.dev/gemini-api/docs/rate-limits.',
          {
            ...{ code: 429, status: 'RESOURCE_EXHAUSTED' },
          },
        ),
      ),
      { code: 429, status: 'Too Many Requests' },
    ),
    source: github('gke-labs/gemini-for-kubernetes-development/issues/1215'),
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
    ...{ vendor: 'Gemini', status: 400, kind: 'no-tools' },
    body: openai('Function calling is not enabled for models/gemma-3-27b-it', {
      code: 400,
      status: 'INVALID_ARGUMENT',
    }),
  },
  {
    ...{ vendor: 'Gemini', status: 503, kind: 'not-ready' },
    body: openai('The model is overloaded. Please try again later.', { code: 503, status: 'UNAVAILABLE' }),
  },
  // xAI
  {
    ...{ vendor: 'xAI', status: 400, kind: 'unauthorized' },
    body: { code: 'Client specified an invalid argument', error: 'Incorrect API key provided: xa***yz.' },
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
    ...{ vendor: 'xAI', status: 403, kind: 'no-quota' },
    body: {
      code: 'The caller does not have permission to execute the specified operation',
      error:
        'Your newly created team does not have any credits yet. You have run out of credits or reached your monthly spending limit. Please purchase more credits.',
    },
  },
  // Groq
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
    ...{ vendor: 'Groq', status: 429, kind: 'rate-limited', known: { retryAfterMs: 578_016 } },
    body: openai(
      'Rate limit reached for model `llama-3.3-70b-versatile` in organization `org_01kjh7p9n8f1qs6nz2bz77vy6b` service tier `on_demand` on tokens per day (TPD): Limit 100000, Used 97050, Requested 3619. Please try again in 9m38.016s. Need more tokens? Upgrade to Dev Tier today at https://console.groq.com/settings/billing',
    ),
    source: github('continuedev/continue/issues/10920'),
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
    ...{ vendor: 'Groq', status: 400, kind: 'bad-call' },
    body: openai(
      "Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.",
      {
        ...{ type: 'invalid_request_error', code: 'tool_use_failed' },
        failed_generation: '<function=read_file{"path":"a.js", "credit balance is too low"}</function>',
      },
    ),
    source: github('groq/groq-typescript/issues/28'),
  },
  // Mistral
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
    ...{ vendor: 'Mistral', status: 422, kind: 'unclear' },
    body: {
      detail: [
        {
          type: 'extra_forbidden',
          loc: ['body', 'store'],
          msg: 'Extra inputs are not permitted',
          input: false,
        },
      ],
    },
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
];
