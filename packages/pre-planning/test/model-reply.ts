import type { Reaction, SeenRequest } from './model-request.ts';

/** The answer of an endpoint, as it goes over the wire. */
export function writeReply(request: SeenRequest, reaction: Reaction): { status: number; body: object } {
  if (reaction.kind === 'refuse') {
    return {
      status: reaction.status,
      body: { error: { message: 'not supported', type: 'invalid_request_error', param: null, code: null } },
    };
  }
  if (reaction.kind === 'nonsense') return { status: 200, body: { nope: 1 } };
  return {
    status: 200,
    body: request.path === '/v1/responses' ? toResponse(request, reaction) : toCompletion(request, reaction),
  };
}

type Saying = Extract<Reaction, { readonly kind: 'say' }>;

function toResponse({ rung }: SeenRequest, { text, fault }: Saying): object {
  const content =
    fault === 'no-annotations'
      ? [{ type: 'output_text', text }]
      : [{ type: 'output_text', text, annotations: [] }];
  const message = { type: 'message', id: 'msg_1', role: 'assistant', content };
  const written = fault === 'object-arguments' ? JSON.parse(text) : text;
  const call = { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'answer', arguments: written };
  const thoughts = fault === 'thoughts-only' ? text : 'Hm.';
  const thought = { type: 'reasoning', id: 'rs_1', content: [{ type: 'reasoning_text', text: thoughts }] };
  const said = rung === 'tool' && fault !== 'no-call' ? call : message;
  const output =
    fault === 'thoughts-only' ? [thought] : fault === 'reasoning-first' ? [thought, said] : [said];
  return {
    id: 'resp_1',
    created_at: 1,
    model: 'local-model',
    output,
    ...(fault === 'cut-off' ? { incomplete_details: { reason: 'max_output_tokens' } } : {}),
    usage: { input_tokens: 30, output_tokens: 20 },
  };
}

function toCompletion({ rung }: SeenRequest, { text, fault }: Saying): object {
  const written = fault === 'object-arguments' ? JSON.parse(text) : text;
  const call = { id: 'c1', type: 'function', function: { name: 'answer', arguments: written } };
  const isCall = rung === 'tool' && fault !== 'no-call';
  const message = {
    role: 'assistant',
    ...(isCall ? { content: null, tool_calls: [call] } : toContent(text, fault)),
  };
  const reason = fault === 'cut-off' ? 'length' : isCall ? 'tool_calls' : 'stop';
  return {
    id: 'c1',
    created: 1,
    model: 'local-model',
    choices: [{ index: 0, message, finish_reason: reason }],
    usage: { prompt_tokens: 30, completion_tokens: 20 },
  };
}

function toContent(text: string, fault: Saying['fault']): object {
  if (fault === 'reasoning-content') return { content: '', reasoning_content: text };
  return fault === 'prose-beside'
    ? { content: 'I have thought about it.', reasoning_content: text }
    : { content: text };
}
