import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { listen, stop } from '../shared/listen.ts';
import { answerRequest, type WireAnswer } from './answer-request.ts';
import type { Misbehavior } from './misbehavior.ts';
import type { ModelRequest, ScriptedModel, ScriptedModelOptions } from './scripted-model.ts';

/** Starts an OpenAI-compatible endpoint that plays a script: `/v1/responses`, `/v1/chat/completions`, `/v1/models`. */
export async function startScriptedModel(options: ScriptedModelOptions): Promise<ScriptedModel> {
  const requests: ModelRequest[] = [];
  const misbehaviors: Misbehavior[] = [];
  const closing = new AbortController();
  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing, { ...options, requests, misbehaviors, closing: closing.signal }).catch(
      (error: Error) => outgoing.destroy(error),
    );
  });
  const origin = await listen(server, options);
  return {
    baseUrl: `${origin}/v1`,
    requests,
    misbehave: (misbehavior, { times = 1 } = {}) => {
      misbehaviors.push(...Array.from({ length: times }, () => misbehavior));
    },
    behave: () => {
      misbehaviors.length = 0;
    },
    close: () => {
      closing.abort();
      return stop(server);
    },
  };
}

interface ServeOptions extends ScriptedModelOptions {
  readonly requests: ModelRequest[];
  readonly misbehaviors: Misbehavior[];
  readonly closing: AbortSignal;
}

async function serve(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  options: ServeOptions,
): Promise<void> {
  const request: ModelRequest = {
    method: incoming.method ?? 'GET',
    path: new URL(incoming.url ?? '/', 'http://localhost').pathname,
    body: parseBody(await text(incoming)),
  };
  options.requests.push(request);
  await options.onRequest?.(request);
  const { sleep = waitFor, closing } = options;
  const next = request.method === 'POST' ? (options.misbehaviors.shift() ?? null) : null;
  if (next?.kind === 'slow') await sleep(next.delayMs, closing);
  const misbehavior = next?.kind === 'slow' ? null : next;
  if (misbehavior?.kind === 'hang') return;
  if (misbehavior?.kind === 'reset') return void incoming.socket.destroy();
  send(
    outgoing,
    answerRequest(request, { ...options, misbehavior, authorization: incoming.headers.authorization }),
  );
}

function waitFor(milliseconds: number, signal: AbortSignal): Promise<unknown> {
  return wait(milliseconds, undefined, { signal });
}

function parseBody(written: string): unknown {
  try {
    return JSON.parse(written);
  } catch {
    return null;
  }
}

function send(outgoing: ServerResponse, answer: WireAnswer): void {
  outgoing.writeHead(answer.status, { 'content-type': answer.type, ...answer.headers });
  outgoing.end(answer.body);
}
