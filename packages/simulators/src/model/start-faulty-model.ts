import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import { listen, stop } from '../shared/listen.ts';
import type { FaultyModelRequest, ModelReaction, Usage } from './model-reaction.ts';
import { type Spoken, toStreamEvents, writeAnswer } from './write-answer.ts';

/** Settings of a faulty model. */
export interface FaultyModelOptions {
  /** Reported with each answer. Default: 30 tokens in, 20 out. */
  readonly usage?: Usage;
}

/** A model server on loopback that is at fault as it is told. */
export interface FaultyModel {
  /** Base URL, the `base_url` of a configuration: `http://127.0.0.1:41234/v1`. */
  readonly baseUrl: string;
  /** Every request so far, oldest first. */
  readonly requests: readonly FaultyModelRequest[];
  /** Characters sent by floods so far. */
  readonly sentCharacters: () => number;
  readonly close: () => Promise<void>;
}

/**
 * Starts an OpenAI-compatible endpoint that does with each request what the function says: `/v1/responses`,
 * `/v1/chat/completions` (streamed when that is asked for). `index` counts requests from 0.
 */
export async function startFaultyModel(
  react: (request: FaultyModelRequest, index: number) => ModelReaction | Promise<ModelReaction>,
  { usage = { input: 30, output: 20 } }: FaultyModelOptions = {},
): Promise<FaultyModel> {
  const requests: FaultyModelRequest[] = [];
  let sent = 0;
  const onSent = (characters: number) => {
    sent += characters;
  };
  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const request = toRequest(incoming.url ?? '', await readText(incoming));
    const reaction = await react(request, requests.push(request) - 1);
    if (reaction.kind === 'flood') flood(outgoing, onSent);
    else if (reaction.kind === 'reset') incoming.socket.destroy();
    else if (reaction.kind !== 'hang') send(outgoing, reaction, { request, usage });
  };
  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing).catch((error: Error) => outgoing.destroy(error));
  });
  const origin = await listen(server);
  return {
    baseUrl: `${origin}/v1`,
    requests,
    sentCharacters: () => sent,
    close: () => stop(server),
  };
}

function toRequest(path: string, written: string): FaultyModelRequest {
  const body = JSON.parse(written) as Record<string, unknown>;
  const isChat = path === '/v1/chat/completions';
  return { path: path as FaultyModelRequest['path'], mode: toMode(body, isChat), body, written };
}

function toMode(body: Readonly<Record<string, unknown>>, isChat: boolean): FaultyModelRequest['mode'] {
  if (body.tool_choice === 'required') return 'tool';
  if (isChat) return 'response_format' in body ? 'chat-format' : 'text';
  return 'text' in body ? 'format' : 'text';
}

function send(
  outgoing: ServerResponse,
  reaction: Spoken | Extract<ModelReaction, { readonly kind: 'raw' | 'refuse' }>,
  { request, usage }: { readonly request: FaultyModelRequest; readonly usage: Usage },
): void {
  const json = { 'content-type': 'application/json' };
  if (reaction.kind === 'raw') {
    outgoing.writeHead(200, json).end(reaction.body);
  } else if (reaction.kind === 'refuse') {
    const { status, body = notSupported, retryAfterMs } = reaction;
    const retry = retryAfterMs === undefined ? {} : { 'retry-after-ms': String(retryAfterMs) };
    outgoing.writeHead(status, { ...json, ...retry }).end(JSON.stringify(body));
  } else {
    const answer = writeAnswer(reaction, { request, usage: reaction.usage ?? usage });
    const isStream = request.body.stream === true && 'choices' in answer;
    outgoing.writeHead(200, isStream ? { 'content-type': 'text/event-stream' } : json);
    outgoing.end(isStream ? toStreamEvents(answer) : JSON.stringify(answer));
  }
}

const notSupported = {
  error: { message: 'not supported', type: 'invalid_request_error', param: null, code: null },
};

function flood(outgoing: ServerResponse, onSent: (characters: number) => void): void {
  outgoing.writeHead(200, { 'content-type': 'application/json' });
  Readable.from(endlessText(onSent))
    .pipe(outgoing)
    .on('error', () => undefined);
}

function* endlessText(onSent: (characters: number) => void): Generator<string> {
  for (;;) {
    const chunk = `"${'x'.repeat(65_534)}`;
    onSent(chunk.length);
    yield chunk;
  }
}
