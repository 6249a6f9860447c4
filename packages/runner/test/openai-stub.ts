import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';

/** What the stub says, in neither endpoint's words. */
export type StubAnswer =
  | { readonly text: string }
  | { readonly calls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[] }
  | { readonly status: number; readonly body: unknown; readonly retryAfterMs?: number }
  | { readonly silent: true }
  /** Text that never ends, as fast as it is taken. */
  | { readonly endless: true }
  | { readonly raw: string };

export interface OpenAiStub {
  /** Ends in `/v1`, as a base URL does. */
  readonly url: string;
  readonly requests: readonly { readonly path: string; readonly text: string }[];
  /** Of endless answers. */
  readonly sentBytes: () => number;
  readonly close: () => Promise<void>;
}

/** Both of OpenAI's endpoints on loopback, as far as a run needs them. @see https://platform.openai.com/docs/api-reference */
export async function startOpenAiStub(answers: readonly StubAnswer[]): Promise<OpenAiStub> {
  const requests: { path: string; text: string }[] = [];
  let sent = 0;
  const server = createServer(async (request, response) => {
    requests.push({ path: request.url ?? '', text: await readBody(request) });
    const answer = answers[requests.length - 1] ?? { status: 500, body: { error: { message: 'no answer' } } };
    respond(response, {
      answer,
      isChat: request.url?.endsWith('/chat/completions') ?? false,
      onSent: (bytes) => {
        sent += bytes;
      },
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    sentBytes: () => sent,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function respond(
  response: ServerResponse,
  {
    answer,
    isChat,
    onSent,
  }: {
    readonly answer: StubAnswer;
    readonly isChat: boolean;
    readonly onSent: (bytes: number) => void;
  },
): void {
  if ('silent' in answer) return;
  if ('endless' in answer) {
    response.writeHead(200, { 'content-type': 'application/json' });
    Readable.from(flood(onSent))
      .pipe(response)
      .on('error', () => undefined);
    return;
  }
  const retry = 'status' in answer && answer.retryAfterMs !== undefined ? answer.retryAfterMs : null;
  response.writeHead('status' in answer ? answer.status : 200, {
    'content-type': 'application/json',
    ...(retry === null ? {} : { 'retry-after-ms': String(retry) }),
  });
  if ('raw' in answer) response.end(answer.raw);
  else if ('status' in answer) response.end(JSON.stringify(answer.body));
  else response.end(JSON.stringify(isChat ? toChat(answer) : toResponses(answer)));
}

function* flood(onSent: (bytes: number) => void): Generator<string> {
  for (;;) {
    const chunk = `"${'x'.repeat(65_534)}`;
    onSent(chunk.length);
    yield chunk;
  }
}

type Spoken = Exclude<
  StubAnswer,
  { raw: string } | { status: number } | { silent: true } | { endless: true }
>;

function toChat(answer: Spoken) {
  const isCall = 'calls' in answer;
  const message = isCall
    ? { role: 'assistant', content: null, tool_calls: answer.calls.map(toChatCall) }
    : { role: 'assistant', content: answer.text };
  const choice = { index: 0, message, finish_reason: isCall ? 'tool_calls' : 'stop' };
  const usage = { prompt_tokens: 30, completion_tokens: 7 };
  return { id: 'chat_1', created: 1, model: 'stub', choices: [choice], usage };
}

function toChatCall({ id, name, arguments: args }: { id: string; name: string; arguments: string }) {
  return { id, type: 'function', function: { name, arguments: args } };
}

function toResponses(answer: Spoken) {
  const output =
    'calls' in answer
      ? answer.calls.map(({ id, name, arguments: args }) => ({
          type: 'function_call',
          id: `fc_${id}`,
          call_id: id,
          name,
          arguments: args,
        }))
      : [
          {
            type: 'message',
            id: 'msg_1',
            role: 'assistant',
            content: [{ type: 'output_text', text: answer.text, annotations: [] }],
          },
        ];
  const usage = { input_tokens: 30, output_tokens: 7 };
  return { id: 'resp_1', created_at: 1, model: 'stub', output, usage };
}
