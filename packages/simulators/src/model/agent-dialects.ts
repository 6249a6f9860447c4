/** Reply of the model of an agent: words, or one call of a tool. */
export type AgentReply =
  | { readonly text: string }
  | { readonly call: { readonly name: string; readonly input: Readonly<Record<string, unknown>> } };

/** Wire format of a model's server, as far as an agent needs it. */
export interface Dialect {
  /** Finds out whether a request asks for an answer of the model. */
  readonly isTurn: (path: string) => boolean;
  /** Field of the body that holds the conversation. */
  readonly conversation: 'messages' | 'input' | 'contents';
  /** Writing of a tool's result in it, which is counted. */
  readonly result: string;
  /** Writes the events of an answer; `id` is that of the call, if any. */
  readonly toEvents: (reply: AgentReply, id: string) => readonly WireEvent[];
}

/** Event of a stream of server-sent events. */
export interface WireEvent {
  /** Name, where the format has one beside the data. */
  readonly event?: string;
  readonly data: object | '[DONE]';
}

/** @see https://platform.openai.com/docs/api-reference/chat-streaming */
const chat: Dialect = {
  isTurn: (path) => path.endsWith('/chat/completions'),
  conversation: 'messages',
  result: '"role":"tool"',
  toEvents: (reply, id) => {
    const delta =
      'text' in reply
        ? { role: 'assistant', content: reply.text }
        : {
            role: 'assistant',
            tool_calls: [
              {
                index: 0,
                id,
                type: 'function',
                function: { name: reply.call.name, arguments: JSON.stringify(reply.call.input) },
              },
            ],
          };
    const head = { id: 'answer', object: 'chat.completion.chunk', created: 1, model: 'm' };
    const end = { index: 0, delta: {}, finish_reason: 'text' in reply ? 'stop' : 'tool_calls' };
    const usage = { prompt_tokens: 30, completion_tokens: 20, total_tokens: 50 };
    return [
      { data: { ...head, choices: [{ index: 0, delta }] } },
      { data: { ...head, choices: [end] } },
      { data: { ...head, choices: [], usage } },
      { data: '[DONE]' },
    ];
  },
};

/** @see https://platform.openai.com/docs/api-reference/responses-streaming */
const responses: Dialect = {
  isTurn: (path) => path.endsWith('/responses'),
  conversation: 'input',
  result: '"type":"function_call_output"',
  toEvents: (reply, id) => {
    const item =
      'text' in reply
        ? {
            type: 'message',
            id: `msg_${id}`,
            role: 'assistant',
            content: [{ type: 'output_text', text: reply.text, annotations: [] }],
          }
        : {
            type: 'function_call',
            id: `fc_${id}`,
            call_id: id,
            name: reply.call.name,
            arguments: JSON.stringify(reply.call.input),
          };
    const usage = { input_tokens: 30, output_tokens: 20, total_tokens: 50 };
    const events = [
      { type: 'response.created', response: { id: 'answer' } },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: { id: 'answer', usage } },
    ];
    return events.map((data) => ({ event: data.type, data }));
  },
};

/** @see https://docs.anthropic.com/en/docs/build-with-claude/streaming */
const messages: Dialect = {
  isTurn: (path) => path.endsWith('/v1/messages'),
  conversation: 'messages',
  result: '"type":"tool_result"',
  toEvents: (reply, id) => {
    const isText = 'text' in reply;
    const block = isText
      ? { type: 'text', text: '' }
      : { type: 'tool_use', id: `toolu_${id}`, name: reply.call.name, input: {} };
    const delta = isText
      ? { type: 'text_delta', text: reply.text }
      : { type: 'input_json_delta', partial_json: JSON.stringify(reply.call.input) };
    const message = { id: `msg_${id}`, type: 'message', role: 'assistant', model: 'm', content: [] };
    const usage = { input_tokens: 30, output_tokens: 20 };
    const events = [
      {
        type: 'message_start',
        message: { ...message, stop_reason: null, stop_sequence: null, usage },
      },
      { type: 'content_block_start', index: 0, content_block: block },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: isText ? 'end_turn' : 'tool_use', stop_sequence: null },
        usage: { output_tokens: 20 },
      },
      { type: 'message_stop' },
    ];
    return events.map((data) => ({ event: data.type, data }));
  },
};

/** @see https://ai.google.dev/api/generate-content#method:-models.streamgeneratecontent */
const contents: Dialect = {
  isTurn: (path) => /:(?:streamG|g)enerateContent$/u.test(path),
  conversation: 'contents',
  result: '"functionResponse":',
  toEvents: (reply) => {
    const part =
      'text' in reply ? reply : { functionCall: { name: reply.call.name, args: reply.call.input } };
    const candidate = { index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' };
    const usageMetadata = { promptTokenCount: 30, candidatesTokenCount: 20, totalTokenCount: 50 };
    return [{ data: { candidates: [candidate], usageMetadata, modelVersion: 'm' } }];
  },
};

/** Formats by which the agents that were tried ask their models. */
export const dialects: readonly Dialect[] = [chat, responses, messages, contents];
