import { github, openai, type VendorRefusal } from './vendor-refusal.ts';

export const openrouterToOllama: readonly VendorRefusal[] = [
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
];
