import { github, openai, type VendorRefusal } from './vendor-refusal.ts';

/** Refusals that an operator has to fix: key, account, model or server settings. */
export const access: readonly VendorRefusal[] = [
  {
    ...{ vendor: 'OpenAI', status: 401, kind: 'unauthorized' },
    body: openai('Incorrect API key provided: sk-ab***cd.', {
      type: 'invalid_request_error',
      code: 'invalid_api_key',
    }),
  },
  {
    ...{ vendor: 'Anthropic', status: 401, kind: 'unauthorized' },
    body: { type: 'error', error: { type: 'authentication_error', message: 'invalid x-api-key' } },
  },
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
    ...{ vendor: 'xAI', status: 400, kind: 'unauthorized' },
    body: { code: 'Client specified an invalid argument', error: 'Incorrect API key provided: xa***yz.' },
  },
  { vendor: 'Cohere', status: 401, kind: 'unauthorized', body: { message: 'invalid api token' } },
  {
    vendor: 'DeepSeek',
    status: 401,
    kind: 'unauthorized',
    body: openai('Authentication Fails (no such user)', { type: 'authentication_error' }),
  },
  {
    vendor: 'Bedrock',
    status: 403,
    kind: 'unauthorized',
    body: { message: 'The security token included in the request is expired' },
    headers: { 'x-amzn-errortype': 'ExpiredTokenException' },
  },
  {
    ...{ vendor: 'OpenAI', status: 429, kind: 'no-quota' },
    body: openai('You exceeded your current quota, please check your plan and billing details.', {
      ...{ type: 'insufficient_quota', param: null, code: 'insufficient_quota' },
    }),
    headers: { 'x-ratelimit-reset-requests': '1s' },
  },
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
    ...{ vendor: 'xAI', status: 403, kind: 'no-quota' },
    body: {
      code: 'The caller does not have permission to execute the specified operation',
      error:
        'Your newly created team does not have any credits yet. You have run out of credits or reached your monthly spending limit. Please purchase more credits.',
    },
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
    vendor: 'DeepSeek',
    status: 402,
    kind: 'no-quota',
    body: openai('Insufficient Balance', { type: 'unknown_error', code: 'invalid_request_error' }),
    source: github('continuedev/continue/issues/11787'),
  },
  {
    vendor: 'Fireworks',
    status: 412,
    kind: 'no-quota',
    body: openai(
      'Account x is suspended, possibly due to reaching the monthly spending limit or failure to pay past invoices.',
    ),
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
    ...{ vendor: 'OpenAI', status: 404, kind: 'unknown-model' },
    body: openai('The model `gpt-9` does not exist or you do not have access to it.', {
      ...{ type: 'invalid_request_error', code: 'model_not_found' },
    }),
  },
  {
    ...{ vendor: 'Anthropic', status: 404, kind: 'unknown-model' },
    body: { type: 'error', error: { type: 'not_found_error', message: 'model: claude-9' } },
  },
  {
    ...{ vendor: 'OpenRouter', status: 400, kind: 'unknown-model' },
    body: openai('openai/gpt-99 is not a valid model ID', { code: 400 }),
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
    vendor: 'LM Studio',
    status: 404,
    kind: 'unknown-model',
    body: openai(
      'No models loaded. Please load a model in the developer page or use the `lms load` command.',
      { type: 'invalid_request_error' },
    ),
  },
  {
    vendor: 'vLLM',
    status: 404,
    kind: 'unknown-model',
    body: { object: 'error', message: 'The model `m` does not exist.', type: 'NotFoundError', code: 404 },
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
  {
    vendor: 'Azure',
    status: 404,
    kind: 'unknown-model',
    body: openai('The API deployment for this resource does not exist.', { code: 'DeploymentNotFound' }),
  },
  {
    ...{ vendor: 'Gemini', status: 400, kind: 'no-tools' },
    body: openai('Function calling is not enabled for models/gemma-3-27b-it', {
      code: 400,
      status: 'INVALID_ARGUMENT',
    }),
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
    ...{ vendor: 'Ollama', status: 400, kind: 'no-tools' },
    body: openai('registry.ollama.ai/library/gemma:2b does not support tools', {
      type: 'api_error',
      param: null,
      code: null,
    }),
  },
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
    vendor: 'llama.cpp',
    status: 500,
    kind: 'no-tools',
    body: openai('tools param requires --jinja flag', { code: 500, type: 'server_error' }),
  },
];
