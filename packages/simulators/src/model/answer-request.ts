import { z } from 'zod';
import { toLostModel } from '../shared/http/reply.ts';
import { type ConversationItem, toConversationView } from './conversation-item.ts';
import { type Misbehavior, spoilReply } from './misbehavior.ts';
import { readResponsesRequest } from './read-responses-request.ts';
import { RefusedRequest } from './refused-request.ts';
import type { ConversationView } from './script.ts';
import type { ModelRequest, ScriptedModelOptions } from './scripted-model.ts';
import { toWireReply, writeReply } from './write-reply.ts';

const content = z
  .union([z.string(), z.array(z.object({ type: z.string(), text: z.string().optional() }))])
  .nullish();
const call = z.object({
  id: z.string(),
  type: z.literal('function'),
  function: z.object({ name: z.string(), arguments: z.string() }),
});
const message = z.discriminatedUnion('role', [
  z.object({ role: z.enum(['system', 'developer', 'user']), content }),
  z.object({ role: z.literal('assistant'), content, tool_calls: z.array(call).nullish() }),
  z.object({ role: z.literal('tool'), tool_call_id: z.string(), content }),
]);

const chatRequest = z.object({
  model: z.string().min(1),
  messages: z.array(message).min(1),
  tools: z.array(z.object({ function: z.object({ name: z.string() }) })).nullish(),
  stream: z.literal(false).nullish(),
});

export interface WireAnswer {
  readonly status: number;
  readonly type: 'application/json' | 'text/html';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface AnswerOptions extends ScriptedModelOptions {
  readonly authorization: string | undefined;
  readonly misbehavior: Exclude<Misbehavior, { readonly kind: 'slow' | 'hang' | 'reset' }> | null;
}

const readers = { '/v1/responses': readResponsesRequest, '/v1/chat/completions': readChatRequest } as const;

/** Decides the whole answer to one request from that request alone. */
export function answerRequest(request: ModelRequest, options: AnswerOptions): WireAnswer {
  try {
    checkKey(options);
    if (request.method === 'GET' && request.path === '/v1/models') return json(200, listModels(options));
    return answerTurn(request, options);
  } catch (error) {
    if (error instanceof RefusedRequest) return refusal(error.status, error.message);
    return refusal(400, `The script failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Refuses with the words of OpenAI's API. */
function refuseTooLong(body: unknown, { contextLength }: Pick<ScriptedModelOptions, 'contextLength'>): void {
  const tokens = Math.ceil(JSON.stringify(body ?? '').length / 4);
  if (contextLength === undefined || tokens <= contextLength) return;
  throw new RefusedRequest(
    400,
    `This model's maximum context length is ${contextLength} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`,
  );
}

function answerTurn(request: ModelRequest, options: AnswerOptions): WireAnswer {
  const { misbehavior, now = Date.now } = options;
  const read = request.method === 'POST' ? readers[request.path as keyof typeof readers] : undefined;
  if (read === undefined) throw new RefusedRequest(404, `Unknown request: ${request.method} ${request.path}`);
  refuseTooLong(request.body, options);
  const view = read(request.body);
  if (!modelsOf(options).includes(view.model)) {
    throw new RefusedRequest(404, `The model '${view.model}' does not exist.`);
  }
  switch (misbehavior?.kind) {
    case 'status':
      return refusal(
        misbehavior.status,
        misbehavior.message ?? 'Something went wrong.',
        misbehavior.retryAfterMs,
      );
    case 'unloaded':
    case 'crashed':
      return { status: 400, type: 'application/json', headers: {}, body: toLostModel(misbehavior.kind) };
    case 'garbage':
      return json(200, { nope: 1 });
    case 'html':
      return { status: 200, type: 'text/html', headers: {}, body: '<html><body>Bad gateway</body></html>' };
  }
  const reply = toWireReply(options.script(view), view);
  const said = misbehavior ? spoilReply(reply, misbehavior) : reply;
  return json(200, writeReply(said, { view, seconds: Math.floor(now() / 1000) }));
}

function checkKey({ apiKey = null, authorization }: AnswerOptions): void {
  if (apiKey === null || authorization === `Bearer ${apiKey}`) return;
  throw new RefusedRequest(401, 'Incorrect API key provided.');
}

function listModels(options: AnswerOptions): object {
  return {
    object: 'list',
    data: modelsOf(options).map((id) => ({ id, object: 'model', owned_by: 'script' })),
  };
}

function modelsOf({ models = ['scripted-model'] }: AnswerOptions): readonly string[] {
  return models;
}

function refusal(status: number, message: string, retryAfterMs?: number): WireAnswer {
  const type = status >= 500 ? 'server_error' : 'invalid_request_error';
  const answer = json(status, { error: { message, type, param: null, code: null } });
  return retryAfterMs === undefined
    ? answer
    : { ...answer, headers: { 'retry-after-ms': String(retryAfterMs) } };
}

function json(status: number, body: object): WireAnswer {
  return { status, type: 'application/json', headers: {}, body: JSON.stringify(body) };
}

/**
 * Reads the body of `POST /v1/chat/completions`.
 *
 * @throws RefusedRequest
 * @see https://platform.openai.com/docs/api-reference/chat/create
 */
function readChatRequest(body: unknown): ConversationView {
  const parsed = chatRequest.safeParse(body);
  if (!parsed.success) throw new RefusedRequest(400, `Invalid body: ${z.prettifyError(parsed.error)}`);
  const { messages, model, tools } = parsed.data;
  const names = (tools ?? []).map((tool) => tool.function.name);
  return toConversationView(messages.flatMap(toItems), { api: 'chat', model, tools: names });
}

function toItems(written: z.infer<typeof message>): ConversationItem[] {
  const text = textOf(written.content);
  if (written.role === 'tool') return [{ kind: 'result', id: written.tool_call_id, output: text }];
  if (written.role !== 'assistant') {
    return [{ kind: 'text', role: written.role === 'user' ? 'user' : 'system', text }];
  }
  const calls = (written.tool_calls ?? []).map(
    ({ id, function: { name, arguments: input } }) => ({ kind: 'call', id, name, arguments: input }) as const,
  );
  return text === '' ? calls : [{ kind: 'text', role: 'assistant', text }, ...calls];
}

function textOf(written: z.infer<typeof content>): string {
  if (written === null || written === undefined) return '';
  return typeof written === 'string' ? written : written.map(({ text }) => text ?? '').join('');
}
