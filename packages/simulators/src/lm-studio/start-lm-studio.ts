import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { createChanges } from '../shared/changes.ts';
import { createHold, type Hold } from '../shared/held-request.ts';
import { listen, stop } from '../shared/listen.ts';
import { decideAnswer, type LmAnswer, refuse, type ServerState } from './decide-answer.ts';
import type { LmRequest, LmStudio, LmStudioOptions } from './lm-studio.ts';
import type { LmMisbehavior } from './misbehavior.ts';
import { readResponsesRequest } from './read-request.ts';
import { listStreamEvents } from './stream-events.ts';

type Noted = { -readonly [Name in keyof LmRequest]: LmRequest[Name] };

interface Serving {
  readonly state: ServerState;
  readonly requests: Noted[];
  readonly misbehaviors: { readonly misbehavior: LmMisbehavior; times: number }[];
  readonly holds: Hold[];
  readonly options: LmStudioOptions;
  readonly changed: () => void;
}

/** Starts a model server on a port of 127.0.0.1. */
export async function startLmStudio(options: LmStudioOptions = {}): Promise<LmStudio> {
  const closing = new AbortController();
  const { changed, until } = createChanges(closing.signal);
  const { script = repeatLastLine, models = ['simulated-model'] } = options;
  const state: ServerState = { script, models, answered: 0, known: new Set() };
  const serving: Serving = { state, requests: [], misbehaviors: [], holds: [], options, changed };
  const server = createServer((incoming, outgoing) => {
    serve(serving, incoming, outgoing).catch(() => outgoing.destroy());
  });
  const origin = await listen(server, options);
  return {
    baseUrl: `${origin}/v1`,
    requests: serving.requests,
    inputs: () => serving.requests.flatMap(({ input }) => input ?? []),
    reload: (loaded = state.models) => {
      state.models = loaded;
      state.known.clear();
    },
    setScript: (next) => {
      state.script = next;
    },
    misbehave: (misbehavior, { times = 1 } = {}) => void serving.misbehaviors.push({ misbehavior, times }),
    behave: () => void serving.misbehaviors.splice(0),
    holdNext: () => {
      const hold = createHold();
      serving.holds.push(hold);
      return hold.held;
    },
    until,
    close: async () => {
      closing.abort(new Error('The model server is closed.'));
      await stop(server);
    },
  };
}

function repeatLastLine(input: string): string {
  const lines = input.split('\n');
  return `I read ${lines.length} lines. The last one says: ${lines.at(-1)}`;
}

async function serve(serving: Serving, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const { method = 'GET', headers } = incoming;
  const path = new URL(incoming.url ?? '/', 'http://127.0.0.1').pathname;
  const isResponse = method === 'POST' && path === '/v1/responses';
  const body = parseJson(await text(incoming));
  const asked = isResponse ? readResponsesRequest(body) : null;
  const request: Noted = { method, path, headers, body, input: asked?.input ?? null, state: 'waiting' };
  outgoing.once('close', () => {
    request.state = outgoing.writableFinished ? 'answered' : 'abandoned';
    serving.changed();
  });
  serving.requests.push(request);
  serving.changed();
  const misbehavior = isResponse ? takeMisbehavior(serving) : null;
  if (isResponse) await serving.holds.shift()?.wait();
  const { state, options } = serving;
  const answer =
    refuseStranger(options, headers.authorization) ??
    (isResponse
      ? decideAnswer(state, asked, {
          misbehavior,
          createdAt: Math.floor((options.now ?? Date.now)() / 1000),
        })
      : answerOther(state, `${method} ${path}`));
  await sendAnswer(outgoing, answer, { misbehavior, pace: options.pace ?? (() => {}) });
}

function takeMisbehavior({ misbehaviors }: Serving): LmMisbehavior | null {
  const [first] = misbehaviors;
  if (first === undefined) return null;
  first.times -= 1;
  if (first.times < 1) misbehaviors.shift();
  return first.misbehavior;
}

function refuseStranger({ apiKey = null }: LmStudioOptions, authorization = ''): LmAnswer | null {
  if (apiKey === null || authorization === `Bearer ${apiKey}`) return null;
  return refuse(401, 'Incorrect API key provided.', 'invalid_api_key');
}

function answerOther({ models }: ServerState, request: string): LmAnswer {
  if (request !== 'GET /v1/models') return refusePath(request);
  const data = models.map((id) => ({ id, object: 'model', owned_by: 'organization_owner' }));
  return {
    kind: 'text',
    status: 200,
    type: 'application/json',
    text: JSON.stringify({ object: 'list', data }),
  };
}

/** As LM Studio does: with 200. @see https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/618 */
function refusePath(request: string): LmAnswer {
  const text = JSON.stringify({ error: `Unexpected endpoint or method. (${request})` });
  return { kind: 'text', status: 200, type: 'application/json', text };
}

function parseJson(written: string): unknown {
  try {
    return JSON.parse(written);
  } catch {
    return null;
  }
}

interface Sending {
  readonly misbehavior: LmMisbehavior | null;
  readonly pace: (number: number) => Promise<void> | void;
}

/** Sends an answer whole, or half of it when it is to hang or break. */
async function sendAnswer(outgoing: ServerResponse, answer: LmAnswer, sending: Sending): Promise<void> {
  const { misbehavior } = sending;
  const isBroken = misbehavior?.kind === 'hang' || misbehavior?.kind === 'reset';
  if (isBroken && misbehavior.at === 'headers') return breakOff(outgoing, misbehavior.kind);
  const pieces = toPieces(answer);
  const isStream = answer.kind === 'response' && answer.isStreamed;
  const type = answer.kind === 'text' ? answer.type : isStream ? 'text/event-stream' : 'application/json';
  outgoing.writeHead(answer.kind === 'text' ? answer.status : 200, { 'content-type': type });
  const sent = isBroken ? pieces.slice(0, Math.ceil(pieces.length / 2)) : pieces;
  let words = 0;
  for (const { text, isWord } of sent) {
    if (isWord) await sending.pace(words++);
    if (outgoing.destroyed) return;
    outgoing.write(text);
  }
  if (isBroken) return breakOff(outgoing, misbehavior.kind);
  outgoing.end();
}

function breakOff(outgoing: ServerResponse, kind: 'hang' | 'reset'): void {
  if (kind === 'reset') outgoing.socket?.destroySoon();
}

interface Piece {
  readonly text: string;
  /** True: it carries a piece of a streamed text. */
  readonly isWord: boolean;
}

function toPieces(answer: LmAnswer): readonly Piece[] {
  if (answer.kind === 'response' && answer.isStreamed) {
    return listStreamEvents(answer.response).map((event) => ({
      text: `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
      isWord: event.type === 'response.output_text.delta',
    }));
  }
  const text = answer.kind === 'text' ? answer.text : JSON.stringify(answer.response);
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].map((half) => ({ text: half, isWord: false }));
}
