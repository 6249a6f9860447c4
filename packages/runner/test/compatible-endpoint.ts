import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { generateText, jsonSchema, type ModelMessage, type ToolSet } from 'ai';
import { afterEach } from 'vitest';
import { createModel, llmSchema } from '../src/models/index.ts';

interface Answer {
  readonly status?: number;
  readonly type?: string;
  readonly body: unknown;
}

export type Body = Readonly<Record<string, unknown>> & {
  readonly messages: readonly Readonly<Record<string, unknown>>[];
};

let server: Server | null = null;
afterEach(() => server?.close());

/** An endpoint on loopback that answers by a function, and the model of its settings. */
export async function connect(answer: (body: Body, count: number) => Answer, settings: object = {}) {
  const requests: Body[] = [];
  server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    requests.push(JSON.parse(text) as Body);
    const {
      status = 200,
      type = 'application/json',
      body,
    } = answer(requests.at(-1) as Body, requests.length);
    response.writeHead(status, { 'content-type': type });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((listening) => server?.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const llm = llmSchema.parse({
    ...settings,
    base_url: `http://127.0.0.1:${port}/v1`,
    model: 'm',
    api: 'chat',
  });
  const { model } = await createModel(llm, { environment: {}, directory: '.' });
  return { model, requests };
}

const tool = { description: 'A tool', inputSchema: jsonSchema({ type: 'object' }) };
export const tools: ToolSet = { read_file: tool, list_files: tool };
export const head = { id: 'c1', object: 'chat.completion', created: 1, model: 'm' };
export const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

export const saying = (message: object, finish_reason: unknown = 'stop') => ({
  ...head,
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason }],
  usage,
});
export const calling = (call: object) => saying({ content: null, tool_calls: [call] }, 'tool_calls');
export const path = { name: 'read_file', arguments: '{"path":"a.js"}' };

type Generated = Awaited<ReturnType<typeof generateText<ToolSet>>>;

export async function ask(
  body: unknown,
  messages: readonly ModelMessage[] = [{ role: 'user', content: 'Go.' }],
): Promise<Generated> {
  const { model } = await connect(() => ({ body }));
  return generateText({ model, tools, messages: [...messages], maxRetries: 0 });
}

/** The conversation behind an answer, its calls answered, as a journal keeps it. */
export function continueWith({ responseMessages, toolCalls }: Generated): ModelMessage[] {
  const answers = responseMessages.filter(({ role }) => role === 'assistant');
  const kept = JSON.parse(JSON.stringify(answers)) as ModelMessage[];
  const results = toolCalls.map(({ toolCallId, toolName }) => ({
    role: 'tool' as const,
    content: [
      {
        type: 'tool-result' as const,
        toolCallId,
        toolName,
        output: { type: 'text' as const, value: 'ok' },
      },
    ],
  }));
  return [{ role: 'user', content: 'Go.' }, ...kept, ...results, { role: 'user', content: 'And?' }];
}

export const askAndListCalls = async (body: unknown) =>
  (await ask(body)).toolCalls.map(({ toolName, input, invalid }) =>
    invalid ? [toolName] : [toolName, input],
  );
