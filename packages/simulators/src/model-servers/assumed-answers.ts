import type { RowKind } from './server-row.ts';

const head = { id: 'chatcmpl-1', object: 'chat.completion', created: 1_700_000_000, model: 'm' };
const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

const saying = (message: object, finish_reason = 'stop') => ({
  ...head,
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason }],
  usage,
});

const call = (id: string, path: string) => ({
  id,
  type: 'function',
  function: { name: 'read_file', arguments: JSON.stringify({ path }) },
});

const refuse = (status: number, message: string, code: string | null = null) => ({
  status,
  body: { error: { message, type: 'invalid_request_error', param: null, code } },
});

/** Answers in the common form of OpenAI's API, for servers of which no other answer is known. */
export const assumedAnswers: Readonly<Record<RowKind, { readonly status?: number; readonly body: unknown }>> =
  {
    text: { body: saying({ content: 'The total is right.' }) },
    'tool call': { body: saying({ content: null, tool_calls: [call('call_1', 'a.js')] }, 'tool_calls') },
    'parallel calls': {
      body: saying(
        { content: null, tool_calls: [call('call_1', 'a.js'), call('call_2', 'b.js')] },
        'tool_calls',
      ),
    },
    reasoning: { body: saying({ content: 'The total is right.', reasoning_content: 'Let me check.' }) },
    refusal: { body: saying({ content: null, refusal: "I can't help with that." }) },
    'length limit': { body: saying({ content: 'The total is' }, 'length') },
    overflow: refuse(
      400,
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 9500 tokens.",
      'context_length_exceeded',
    ),
    'rate limit': refuse(429, 'Rate limit reached. Please try again in 1s.', 'rate_limit_exceeded'),
    'no credit': refuse(402, 'Insufficient credits.'),
    'wrong key': refuse(401, 'Incorrect API key provided.', 'invalid_api_key'),
    malformed: { body: { ...head, choices: [], usage } },
  };
