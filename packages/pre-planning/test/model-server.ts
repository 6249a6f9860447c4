import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { createOpenAI } from '@ai-sdk/openai';
import { writeReply } from './model-reply.ts';
import type { Reaction, SeenRequest } from './model-request.ts';

export interface ModelServer {
  readonly requests: readonly SeenRequest[];
  /** The Responses endpoint. */
  readonly model: ReturnType<ReturnType<typeof createOpenAI>>;
  readonly chatModel: ReturnType<ReturnType<typeof createOpenAI>['chat']>;
  readonly close: () => Promise<void>;
}

/** A model server on loopback that does with each request what the script says. */
export async function startModelServer(
  script: (request: SeenRequest, index: number) => Reaction,
): Promise<ModelServer> {
  const requests: SeenRequest[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const written = await readText(incoming);
    const request = read(incoming.url ?? '', written);
    requests.push(request);
    const reaction = script(request, requests.length - 1);
    const { status, body } = writeReply(request, reaction);
    outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const provider = createOpenAI({ baseURL, apiKey: 'none' });
  return {
    requests,
    model: provider('local-model'),
    chatModel: provider.chat('local-model'),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function read(path: string, written: string): SeenRequest {
  const body = JSON.parse(written) as Record<string, unknown>;
  const isChat = path === '/v1/chat/completions';
  const hasFormat = isChat ? 'response_format' in body : 'text' in body;
  const rung = 'tools' in body ? 'tool' : hasFormat ? (isChat ? 'chat-format' : 'format') : 'text';
  return { path: path as SeenRequest['path'], rung, body, written };
}
