import type { ConversationView, ScriptedReply } from './script.ts';

/** A tool call as it goes over the wire; `arguments` is text there, and need not be JSON when something is wrong. */
export interface WireCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

export interface WireReply {
  readonly text: string;
  readonly calls: readonly WireCall[];
}

/** Gives the calls of a reply their ids, which depend on nothing but how many calls came before. */
export function toWireReply(reply: ScriptedReply, view: ConversationView): WireReply {
  const calls = (reply.toolCalls ?? []).map(({ name, input }, index) => ({
    id: `call_${view.exchanges.length + index + 1}`,
    name,
    arguments: JSON.stringify(input),
  }));
  return { text: reply.text ?? '', calls };
}

/** The answer of the endpoint that the request came to. `seconds` is the time of the answer since the epoch. */
export function writeReply(
  reply: WireReply,
  { view, seconds }: { readonly view: ConversationView; readonly seconds: number },
): object {
  const id = `${view.api === 'chat' ? 'chatcmpl' : 'resp'}_${view.turns + 1}`;
  return view.api === 'chat'
    ? { id, object: 'chat.completion', created: seconds, model: view.model, ...chatBody(reply, view) }
    : { id, object: 'response', created_at: seconds, model: view.model, ...responsesBody(reply, view) };
}

function chatBody(reply: WireReply, view: ConversationView): object {
  const calls = reply.calls.map(({ id, ...call }) => ({ id, type: 'function', function: call }));
  const message = {
    role: 'assistant',
    content: reply.text === '' ? null : reply.text,
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  const usage = countTokens(reply, view);
  return {
    choices: [{ index: 0, message, finish_reason: calls.length === 0 ? 'stop' : 'tool_calls' }],
    usage: {
      prompt_tokens: usage.input,
      completion_tokens: usage.output,
      total_tokens: usage.input + usage.output,
    },
  };
}

function responsesBody(reply: WireReply, view: ConversationView): object {
  const content = [{ type: 'output_text', text: reply.text, annotations: [] }];
  const message = {
    type: 'message',
    id: `msg_${view.turns + 1}`,
    role: 'assistant',
    status: 'completed',
    content,
  };
  const calls = reply.calls.map(({ id, ...call }) => ({
    type: 'function_call',
    id: `fc_${id}`,
    call_id: id,
    status: 'completed',
    ...call,
  }));
  const usage = countTokens(reply, view);
  return {
    status: 'completed',
    output: reply.text === '' ? calls : [message, ...calls],
    usage: {
      input_tokens: usage.input,
      output_tokens: usage.output,
      total_tokens: usage.input + usage.output,
    },
  };
}

/** Roughly what a tokenizer would count: four characters a token. */
function countTokens(
  reply: WireReply,
  view: ConversationView,
): { readonly input: number; readonly output: number } {
  const read = [view.instructions, ...view.messages.map(({ text }) => text)];
  const seen = [...read, ...view.exchanges.map(({ input, output }) => JSON.stringify(input) + output)];
  const said = [reply.text, ...reply.calls.map((call) => call.arguments)];
  const tokensOf = (texts: readonly string[]) => Math.ceil(texts.join('').length / 4);
  return { input: tokensOf(seen), output: tokensOf(said) };
}
