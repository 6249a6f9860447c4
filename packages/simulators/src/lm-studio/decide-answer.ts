import { toLostModel } from '../shared/http/reply.ts';
import type { LmScript } from './lm-studio.ts';
import { type LmResponse, makeResponse } from './make-response.ts';
import type { LmMisbehavior } from './misbehavior.ts';
import type { ResponsesRequest } from './read-request.ts';

/** Knowledge of a model server between two requests; a reload makes it forget. */
export interface ServerState {
  script: LmScript;
  models: readonly string[];
  /** Number of responses so far; their ids never come again. */
  answered: number;
  readonly known: Set<string>;
}

export type LmAnswer =
  | { readonly kind: 'response'; readonly response: LmResponse; readonly isStreamed: boolean }
  | { readonly kind: 'text'; readonly status: number; readonly type: string; readonly text: string };

/** The answer to one request for a response. */
export function decideAnswer(
  state: ServerState,
  request: ResponsesRequest | null,
  { misbehavior, createdAt }: { readonly misbehavior: LmMisbehavior | null; readonly createdAt: number },
): LmAnswer {
  if (request === null) return refuse(400, 'Invalid body', null);
  const spoilt = spoil(misbehavior);
  if (spoilt !== null) return spoilt;
  const { previousResponseId: previous } = request;
  const model = chooseModel(state.models, request.model);
  if (model === null) return refuse(404, 'No models loaded. Please load a model first.', 'model_not_found');
  if (previous !== null && !state.known.has(previous)) {
    return refuse(400, `Previous response with id '${previous}' not found.`, 'previous_response_not_found');
  }
  state.answered += 1;
  const text = state.script(request.input);
  const facts = { ...request, model, text, createdAt, number: state.answered };
  const response = makeResponse(facts, misbehavior);
  if (request.isStored) state.known.add(response.id);
  return { kind: 'response', response, isStreamed: request.isStreamed };
}

/** A name that the server does not have is answered by what is loaded. */
function chooseModel(models: readonly string[], asked: string | null): string | null {
  return models.find((name) => name === asked) ?? models[0] ?? null;
}

function spoil(misbehavior: LmMisbehavior | null): LmAnswer | null {
  switch (misbehavior?.kind) {
    case 'status':
      return refuse(misbehavior.status, misbehavior.message ?? 'Something went wrong.', null);
    case 'unloaded':
    case 'crashed':
      return { kind: 'text', status: 400, type: 'application/json', text: toLostModel(misbehavior.kind) };
    case 'not-json':
      return { kind: 'text', status: 200, type: 'text/html', text: '<html><body>Bad gateway</body></html>' };
    case 'wrong-shape':
      return { kind: 'text', status: 200, type: 'application/json', text: '{"nope":1}' };
    default:
      return null;
  }
}

export function refuse(status: number, message: string, code: string | null): LmAnswer {
  const type = status >= 500 ? 'server_error' : 'invalid_request_error';
  const text = JSON.stringify({ error: { message, type, param: null, code } });
  return { kind: 'text', status, type: 'application/json', text };
}
