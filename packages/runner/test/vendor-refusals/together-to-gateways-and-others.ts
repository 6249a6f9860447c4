import { github, openai, type VendorRefusal } from './vendor-refusal.ts';

export const togetherToGatewaysAndOthers: readonly VendorRefusal[] = [
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
