import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import type { AskedWay, BrokenAnswer, Frame, Reaction } from './broken-answers.ts';

/** A model server on loopback that is at fault as it is told. */
export interface FaultyEndpoint {
  readonly baseUrl: string;
  readonly play: (broken: BrokenAnswer) => void;
  readonly close: () => Promise<void>;
}

/** Serves `/v1/responses` and `/v1/chat/completions`, without streaming. */
export async function startFaultyEndpoint(): Promise<FaultyEndpoint> {
  let playing: BrokenAnswer | null = null;
  let answered = 0;
  const server = createServer(async (incoming, outgoing) => {
    const body = JSON.parse(await readText(incoming)) as Record<string, unknown>;
    const isChat = incoming.url === '/v1/chat/completions';
    const way = findWay(body, isChat);
    const reaction: Reaction = playing?.react(way, answered) ?? { status: 404, text: null, frame: 'plain' };
    if (reaction.status === 200) answered += 1;
    outgoing.writeHead(reaction.status, { 'content-type': 'application/json' });
    outgoing.end(JSON.stringify(toBody(reaction, { isChat, way })));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    play: (broken) => {
      playing = broken;
      answered = 0;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function findWay(body: Readonly<Record<string, unknown>>, isChat: boolean): AskedWay {
  if ('tools' in body) return 'tool';
  if (isChat) return 'response_format' in body ? 'chat-format' : 'text';
  return 'text' in body ? 'format' : 'text';
}

interface Asked {
  readonly isChat: boolean;
  readonly way: AskedWay;
}

function toBody({ status, text, frame }: Reaction, { isChat, way }: Asked): object {
  if (status !== 200) return { error: { message: 'not supported', type: 'invalid_request_error' } };
  if (text === null) return { nope: 1 };
  return isChat ? toCompletion(text, { frame, way }) : toResponse(text, { frame, way });
}

interface Said {
  readonly frame: Frame;
  readonly way: AskedWay;
}

function toResponse(text: string, { frame, way }: Said): object {
  const part = frame === 'no-annotations' ? { text } : { text, annotations: [] };
  const message = {
    type: 'message',
    id: 'm',
    role: 'assistant',
    content: [{ type: 'output_text', ...part }],
  };
  const call = {
    type: 'function_call',
    id: 'f',
    call_id: 'c',
    name: 'answer',
    arguments: toArguments(text, frame),
  };
  const thought = { type: 'reasoning', id: 'r', content: [{ type: 'reasoning_text', text: 'Hm.' }] };
  return {
    id: 'r',
    created_at: 1,
    model: 'faulty',
    output: [...(frame === 'reasoning-first' ? [thought] : []), way === 'tool' ? call : message],
    ...(frame === 'cut-off' ? { incomplete_details: { reason: 'max_output_tokens' } } : {}),
    usage: { input_tokens: 1, output_tokens: 1 },
  };
}

function toCompletion(text: string, { frame, way }: Said): object {
  const call = {
    id: 'c',
    type: 'function',
    function: { name: 'answer', arguments: toArguments(text, frame) },
  };
  const message = way === 'tool' ? { content: null, tool_calls: [call] } : toContent(text, frame);
  const reason = frame === 'cut-off' ? 'length' : way === 'tool' ? 'tool_calls' : 'stop';
  return {
    id: 'c',
    created: 1,
    model: 'faulty',
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: reason }],
    usage: { prompt_tokens: 1, completion_tokens: 1 },
  };
}

function toContent(text: string, frame: Frame): object {
  if (frame === 'reasoning-content') return { content: '', reasoning_content: text };
  return frame === 'prose-beside'
    ? { content: 'I have thought about it.', reasoning_content: text }
    : { content: text };
}

function toArguments(text: string, frame: Frame): unknown {
  return frame === 'object-arguments' ? JSON.parse(text) : text;
}
