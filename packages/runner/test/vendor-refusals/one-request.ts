import { github, openai, type VendorRefusal } from './vendor-refusal.ts';

/** Refusals that concern the content of one request, or the answer of the model. */
export const oneRequest: readonly VendorRefusal[] = [
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
    vendor: 'llama.cpp',
    status: 500,
    kind: 'bad-call',
    body: openai('Failed to parse input at pos 12: <|channel|>commentary', {
      code: 500,
      type: 'server_error',
    }),
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
    vendor: 'Bedrock',
    status: 400,
    kind: 'unclear',
    body: {
      message:
        'The maximum tokens you requested exceeds the model limit of 2048. Try again with a maximum tokens value that is lower than 2048.',
    },
    source: github('aws-samples/bedrock-access-gateway/issues/41'),
  },
];
