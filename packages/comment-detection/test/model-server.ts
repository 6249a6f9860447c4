import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A message of a chat request, as it goes over the wire. */
export interface WireMessage {
  readonly role: string;
  readonly content: string | null;
}

export interface ModelServer {
  readonly baseURL: string;
  /** The messages of every request, in order. */
  readonly requests: readonly (readonly WireMessage[])[];
  readonly close: () => Promise<void>;
}

/** A model on loopback that speaks the chat protocol; `answer` is given the number of the request, from 0. */
export async function startModelServer(
  answer: (request: number) => { readonly text: string } | { readonly tool: string },
): Promise<ModelServer> {
  const requests: WireMessage[][] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { messages, stream } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    const number = requests.push(messages) - 1;
    const reply = toMessage(answer(number), number);
    response.setHeader('content-type', stream ? 'text/event-stream' : 'application/json');
    response.end(stream ? toEvents(reply) : JSON.stringify({ ...envelope, choices: [reply] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { baseURL: `http://127.0.0.1:${port}/v1`, requests, close };
}

const usage = { prompt_tokens: 1, completion_tokens: 1 };
const envelope = { id: 'c', created: 1, model: 'm', usage };

function toMessage(reply: { readonly text: string } | { readonly tool: string }, number: number) {
  if ('text' in reply) {
    return { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: reply.text } };
  }
  const call = {
    index: 0,
    id: `call-${number}`,
    type: 'function',
    function: { name: reply.tool, arguments: '{}' },
  };
  return {
    index: 0,
    finish_reason: 'tool_calls',
    message: { role: 'assistant', content: null, tool_calls: [call] },
  };
}

function toEvents({ index, finish_reason, message }: ReturnType<typeof toMessage>): string {
  const { usage: _, ...head } = envelope;
  const chunks = [
    { ...head, choices: [{ index, delta: message }] },
    { ...head, choices: [{ index, delta: {}, finish_reason }] },
    { ...head, choices: [], usage },
  ];
  return [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]']
    .map((data) => `data: ${data}\n\n`)
    .join('');
}
