import { type Misbehaviour, spoilReply } from './misbehaviour.ts';
import { readChatRequest } from './read-chat-request.ts';
import { readResponsesRequest } from './read-responses-request.ts';
import { RefusedRequest } from './refused-request.ts';
import type { ModelRequest, ScriptedModelOptions } from './scripted-model.ts';
import { toWireReply, writeReply } from './write-reply.ts';

export interface WireAnswer {
  readonly status: number;
  readonly type: 'application/json' | 'text/html';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface AnswerOptions extends ScriptedModelOptions {
  readonly authorization: string | undefined;
  readonly misbehaviour: Exclude<Misbehaviour, { readonly kind: 'hang' | 'reset' }> | null;
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

function answerTurn(request: ModelRequest, options: AnswerOptions): WireAnswer {
  const { misbehaviour, now = Date.now } = options;
  const read = request.method === 'POST' ? readers[request.path as keyof typeof readers] : undefined;
  if (read === undefined) throw new RefusedRequest(404, `Unknown request: ${request.method} ${request.path}`);
  const view = read(request.body);
  if (!modelsOf(options).includes(view.model)) {
    throw new RefusedRequest(404, `The model '${view.model}' does not exist.`);
  }
  switch (misbehaviour?.kind) {
    case 'status':
      return refusal(
        misbehaviour.status,
        misbehaviour.message ?? 'Something went wrong.',
        misbehaviour.retryAfterMs,
      );
    case 'garbage':
      return json(200, { nope: 1 });
    case 'html':
      return { status: 200, type: 'text/html', headers: {}, body: '<html><body>Bad gateway</body></html>' };
  }
  const reply = toWireReply(options.script(view), view);
  const said = misbehaviour ? spoilReply(reply, misbehaviour) : reply;
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
