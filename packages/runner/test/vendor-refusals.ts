import type { ModelFailure, ModelFailureKind } from '../src/index.ts';

/** An error answer of an endpoint, and what it has to be taken for. */
export interface VendorRefusal {
  readonly vendor: string;
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly kind: ModelFailureKind;
  readonly known?: Partial<Pick<ModelFailure, 'retryAfterMs' | 'limitTokens' | 'requestTokens'>>;
  /** Public report with the answer, read on 2026-11-28; left out where the answer follows the vendor's pattern and was not found in a report. */
  readonly source?: string;
}

const github = (path: string): string => `https://github.com/${path}`;

/** Answers in the form of many OpenAI-compatible servers. */
const openai = (message: string, fields: object = {}) => ({ error: { message, ...fields } });

export const vendorRefusals: readonly VendorRefusal[] = [
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
  // OpenRouter
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
    ...{ vendor: 'OpenRouter', status: 402, kind: 'no-quota' },
    body: openai(
      'This request requires more credits, or fewer max_tokens. You requested up to 64000 tokens, but can only afford 2666. To increase, visit https://openrouter.ai/settings/credits and upgrade to a paid account',
      { code: 402, metadata: { provider_name: null } },
    ),
    source: github('astrio-labs/forall/issues/76'),
  },
  {
    ...{ vendor: 'OpenRouter', status: 404, kind: 'no-tools' },
    body: openai(
      'No endpoints found that support tool use. To learn more about provider routing, visit: https://openrouter.ai/docs/guides/routing/provider-selection',
      { code: 404 },
    ),
    source: github('Routstr/routstr-core/issues/554'),
  },
  {
    ...{ vendor: 'OpenRouter through a router', status: 404, kind: 'no-tools' },
    body: openai(
      'Error from provider(404): {"error":{"message":"No endpoints found that support tool use. To learn more about provider routing, visit: https://openrouter.ai/docs/provider-routing","code":404}}',
      { type: 'api_error', code: 'provider_response_error' },
    ),
    source: github('musistudio/claude-code-router/issues/583'),
  },
  {
    ...{ vendor: 'OpenRouter', status: 200, kind: 'not-ready' },
    body: openai('Provider returned error', { code: 502 }),
    source: github('SWE-agent/mini-swe-agent/issues/902'),
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
    ...{ vendor: 'OpenRouter', status: 400, kind: 'unknown-model' },
    body: openai('openai/gpt-99 is not a valid model ID', { code: 400 }),
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
  // Ollama
  {
    ...{ vendor: 'Ollama', status: 500, kind: 'bad-call' },
    body: {
      error: `error parsing tool call: raw='{"input":"*** Begin Patch\\n*** Update File: f.php\\n@@\\n-    public function total(float $rate): float\\n…*** End Patch"}]', err=`,
    },
    source: github('ollama/ollama/issues/17638'),
  },
  {
    ...{ vendor: 'Ollama', status: 500, kind: 'bad-call' },
    body: { 'error parsing tool call': "invalid character 'c' looking for beginning of value" },
    source: github('ollama/ollama/issues/11704'),
  },
  {
    ...{ vendor: 'Ollama', status: 400, kind: 'no-tools' },
    body: openai('registry.ollama.ai/library/gemma:2b does not support tools', {
      type: 'api_error',
      param: null,
      code: null,
    }),
  },
  {
    ...{ vendor: 'Ollama', status: 404, kind: 'unknown-model' },
    body: openai('model "qwen9" not found, try pulling it first', {
      type: 'api_error',
      param: null,
      code: null,
    }),
  },
  {
    ...{ vendor: 'Ollama', status: 400, kind: 'context-too-long' },
    body: openai('prompt too long; exceeded max context length by 4120 tokens', { type: 'api_error' }),
  },
  {
    vendor: 'Ollama',
    status: 500,
    kind: 'not-ready',
    body: openai('llama runner process has terminated: exit status 2'),
  },
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
  // Together
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
    vendor: 'Together',
    status: 503,
    kind: 'not-ready',
    body: openai('The server is overloaded or not ready yet.', { type: 'service_unavailable' }),
  },
  {
    vendor: 'Together',
    status: 404,
    kind: 'unknown-model',
    body: openai(
      'Unable to access model x/y. Please visit https://api.together.ai/models to view the list of supported models.',
      { code: 'model_not_available' },
    ),
  },
  // Fireworks
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
    vendor: 'Fireworks',
    status: 412,
    kind: 'no-quota',
    body: openai(
      'Account x is suspended, possibly due to reaching the monthly spending limit or failure to pay past invoices.',
    ),
  },
  // Cerebras
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
  // Azure
  {
    ...{ vendor: 'Azure', status: 400, kind: 'refused' },
    body: openai(
      "The response was filtered due to the prompt triggering Azure OpenAI's content management policy. Please modify your prompt and retry.",
      {
        ...{ type: null, param: 'prompt', code: 'content_filter', status: 400 },
        innererror: { code: 'ResponsibleAIPolicyViolation' },
      },
    ),
    source: github('tatsu-lab/alpaca_eval/issues/227'),
  },
  {
    vendor: 'Azure',
    status: 404,
    kind: 'unknown-model',
    body: openai('The API deployment for this resource does not exist.', { code: 'DeploymentNotFound' }),
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
  // Bedrock
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
    vendor: 'Bedrock',
    status: 400,
    kind: 'unclear',
    body: {
      message:
        'The maximum tokens you requested exceeds the model limit of 2048. Try again with a maximum tokens value that is lower than 2048.',
    },
    source: github('aws-samples/bedrock-access-gateway/issues/41'),
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
    vendor: 'Bedrock',
    status: 403,
    kind: 'unauthorized',
    body: { message: 'The security token included in the request is expired' },
    headers: { 'x-amzn-errortype': 'ExpiredTokenException' },
  },
  {
    vendor: 'Bedrock',
    status: 424,
    kind: 'bad-call',
    body: {
      message:
        'Model produced invalid sequence as part of ToolUse. Please refer to the model tool use troubleshooting guide.',
    },
  },
  // Gateways and others
  { vendor: 'Envoy', status: 503, kind: 'not-ready', body: 'no healthy upstream' },
  {
    vendor: 'nginx',
    status: 413,
    kind: 'context-too-long',
    body: '<html><head><title>413 Request Entity Too Large</title></head></html>',
  },
  {
    vendor: 'nginx',
    status: 502,
    kind: 'server-error',
    body: '<html><head><title>502 Bad Gateway</title></head></html>',
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
    vendor: 'Moonshot',
    status: 403,
    kind: 'no-quota',
    body: openai('Your account is suspended, please check your plan and billing details', {
      type: 'exceeded_current_quota_error',
    }),
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
  {
    vendor: 'LiteLLM',
    status: 500,
    kind: 'not-ready',
    body: openai('context deadline exceeded while sending request', { code: 500 }),
  },
];
