import type {
  FaultyModelCall,
  FaultyModelRequest,
  ModelFault,
  ModelReaction,
  Usage,
} from './model-reaction.ts';

/** A reaction that is an answer. */
export type Spoken = Extract<ModelReaction, { readonly kind: 'say' | 'call' }>;

/** A chat completion, as far as a stream repeats it. */
interface Completion {
  readonly choices: readonly {
    readonly index: number;
    readonly message: object;
    readonly finish_reason: string;
  }[];
  readonly usage: object;
}

interface Said {
  readonly calls: readonly FaultyModelCall[];
  readonly text: string;
  readonly fault: ModelFault | null;
}

/** Writes an answer as the endpoint would that the request came to. */
export function writeAnswer(
  reaction: Spoken,
  { request, usage }: { readonly request: FaultyModelRequest; readonly usage: Usage },
): object | Completion {
  const said = toSaid(reaction, request);
  const head = { id: 'answer_1', model: request.body.model };
  return request.path === '/v1/responses'
    ? { ...head, created_at: 1, ...responsesBody(said, usage) }
    : { ...head, created: 1, ...chatBody(said, usage) };
}

/** The same completion in pieces: the message, its end, the usage. @see https://platform.openai.com/docs/api-reference/chat-streaming */
export function toStreamEvents({ choices, usage, ...head }: Completion): string {
  const pieces = [
    { ...head, choices: choices.map(({ index, message }) => ({ index, delta: message })) },
    { ...head, choices: choices.map(({ index, finish_reason }) => ({ index, delta: {}, finish_reason })) },
    { ...head, choices: [], usage },
  ];
  return [...pieces.map((piece) => JSON.stringify(piece)), '[DONE]']
    .map((data) => `data: ${data}\n\n`)
    .join('');
}

function toSaid(reaction: Spoken, { mode }: FaultyModelRequest): Said {
  if (reaction.kind === 'call') return { calls: reaction.calls, text: '', fault: null };
  const { text, fault = null } = reaction;
  const isCall = mode === 'tool' && fault !== 'no-call';
  return { calls: isCall ? [{ id: 'call_1', name: 'answer', arguments: text }] : [], text, fault };
}

function responsesBody({ calls, text, fault }: Said, usage: Usage): object {
  const content = { type: 'output_text', text, ...(fault === 'no-annotations' ? {} : { annotations: [] }) };
  const message = { type: 'message', id: 'msg_1', role: 'assistant', content: [content] };
  const thoughts = fault === 'thoughts-only' ? text : 'Hm.';
  const thought = { type: 'reasoning', id: 'rs_1', content: [{ type: 'reasoning_text', text: thoughts }] };
  const made = calls.map(({ id, name, arguments: written }) => ({
    type: 'function_call',
    id: `fc_${id}`,
    call_id: id,
    name,
    arguments: toArguments(written, fault),
  }));
  const said = made.length > 0 ? made : [message];
  return {
    output: fault === 'thoughts-only' ? [thought] : fault === 'reasoning-first' ? [thought, ...said] : said,
    ...(fault === 'cut-off' ? { incomplete_details: { reason: 'max_output_tokens' } } : {}),
    usage: { input_tokens: usage.input, output_tokens: usage.output },
  };
}

function chatBody({ calls, text, fault }: Said, usage: Usage): Completion {
  const made = calls.map(({ id, name, arguments: written }, index) => ({
    index,
    id,
    type: 'function',
    function: { name, arguments: toArguments(written, fault) },
  }));
  const said = made.length > 0 ? { content: null, tool_calls: made } : toContent(text, fault);
  const reason = fault === 'cut-off' ? 'length' : made.length > 0 ? 'tool_calls' : 'stop';
  return {
    choices: [{ index: 0, message: { role: 'assistant', ...said }, finish_reason: reason }],
    usage: { prompt_tokens: usage.input, completion_tokens: usage.output },
  };
}

function toContent(text: string, fault: ModelFault | null): object {
  if (fault === 'reasoning-content') return { content: '', reasoning_content: text };
  return fault === 'prose-beside'
    ? { content: 'I have thought about it.', reasoning_content: text }
    : { content: text };
}

function toArguments(written: string, fault: ModelFault | null): unknown {
  return fault === 'object-arguments' ? JSON.parse(written) : written;
}
