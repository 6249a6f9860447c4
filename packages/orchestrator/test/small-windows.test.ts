import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createContextCompressor, createMemoryRunJournal, runTask } from '@agent/runner';
import { createModel } from '@agent/runner/models';
import { llmSchema } from '@agent/runner/models/config';
import { createFileTools, encloseOutputs } from '@agent/workspace';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const nonce = '5f0c2c1e-3d0a-4f7e-9a53-1f1f3f1a2b3c';

interface ChatMessage {
  readonly role: string;
  readonly content: string | null;
  readonly tool_call_id?: string;
}

interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly unknown[];
}

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'small-windows-'));
  for (const name of ['a', 'b', 'c']) {
    const lines = Array.from({ length: 900 }, (_, index) =>
      name === 'c' && index === 849
        ? 'const secretNumber = 4711;'
        : `const value${index} = compute(${index}, "${name}");`,
    );
    await writeFile(join(directory, `${name}.ts`), `${lines.join('\n')}\n`);
  }
});

afterEach(() => rm(directory, { recursive: true, force: true }));

/** A chat endpoint that counts four characters a token and refuses what is larger than its window. */
async function startEndpoint(limit: number, answer: (request: ChatRequest) => object) {
  const sizes: number[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as ChatRequest;
      const tokens = Math.ceil(JSON.stringify([body.messages, body.tools ?? []]).length / 4);
      sizes.push(tokens);
      const isOver = tokens > limit;
      response.writeHead(isOver ? 400 : 200, { 'content-type': 'application/json' });
      const error = { message: `the request exceeds the available context size (${limit} tokens)` };
      const completion = {
        ...{ id: 'c', object: 'chat.completion', created: 1, model: 'm' },
        choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', ...answer(body) } }],
        usage: { prompt_tokens: tokens, completion_tokens: 5, total_tokens: tokens + 5 },
      };
      response.end(JSON.stringify(isOver ? { error } : completion));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return { sizes, url: `http://127.0.0.1:${port}/v1`, close: () => server.close() };
}

const call = (name: string, input: object) => ({
  id: randomUUID(),
  type: 'function',
  function: { name, arguments: JSON.stringify(input) },
});

/** Follows what the last result says about the rest of the file, as a model does that looks for one line. */
function lookForLine(request: ChatRequest): object {
  if (request.tools === undefined) return { content: 'Three files were read.' };
  const { messages } = request;
  const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content));
  const found = results.find((text) => text.includes('secretNumber = '));
  if (found !== undefined) return { content: `It is ${/secretNumber = (\d+)/.exec(found)?.[1]}.` };
  const paths = ['a.ts', 'b.ts', 'c.ts'];
  if (results.length === 0)
    return { content: null, tool_calls: paths.map((path) => call('read_file', { path })) };
  const [, next] = /c\.ts, lines \d+-\d+ of 900; continue with offset (\d+)/.exec(results.at(-1) ?? '') ?? [];
  if (next === undefined) return { content: 'I do not know how to read on.' };
  return { content: null, tool_calls: [call('read_file', { path: 'c.ts', offset: Number(next) })] };
}

/** Searches the rest of a result that is shown in part, by the handle that its note names. */
function search(request: ChatRequest): object {
  if (request.tools === undefined) return { content: 'The log was read.' };
  const results = request.messages
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => String(content));
  const found = results.find((text) => text.includes('secretNumber = '));
  if (found !== undefined) return { content: `It is ${/secretNumber = (\d+)/.exec(found)?.[1]}.` };
  if (results.length === 0)
    return { content: null, tool_calls: [call('read_log', {}), call('read_log', {})] };
  const [, handle] = /read_output \{"handle":"(output-\d+)"/.exec(results.at(-1) ?? '') ?? [];
  return { content: null, tool_calls: [call('read_output', { handle, pattern: 'SecretNumber' })] };
}

async function run(
  limit: number,
  { answer, contextLength = limit }: { readonly answer: typeof search; readonly contextLength?: number },
) {
  const endpoint = await startEndpoint(limit, answer);
  try {
    const llm = llmSchema.parse({ base_url: endpoint.url, model: 'm', api: 'chat' });
    const { model } = await createModel(llm, { environment: {}, directory });
    const log = Array.from({ length: 4_000 }, (_, index) =>
      index === 2_222 ? 'const secretNumber = 4711;' : `[${index}] building module ${index}`,
    ).join('\n');
    const tools = {
      ...createFileTools(directory),
      read_log: {
        description: 'Reads the log.',
        inputSchema: llmSchema.pick({}),
        readOnly: true,
        execute: async () => log,
      },
    };
    const result = await runTask({
      ...{ model, tools: encloseOutputs(tools, nonce), journal: createMemoryRunJournal(), maxRetries: 0 },
      limits: { maxSteps: 30 },
      compressor: createContextCompressor({ model, contextLength }),
      openConversation: async () => ({
        instructions: 'You are an engineer.',
        messages: [{ role: 'user', content: 'What is secretNumber?' }],
      }),
    });
    return { result, sizes: endpoint.sizes };
  } finally {
    endpoint.close();
  }
}

describe.each([8_192, 32_768])('a run in a window of %d tokens', (limit) => {
  it('reaches line 850 of the third of three files that were read at once', async () => {
    const { result, sizes } = await run(limit, { answer: lookForLine });
    expect(result).toMatchObject({
      kind: 'ended',
      outcome: { status: 'completed', finalText: 'It is 4711.' },
    });
    expect(Math.max(...sizes)).toBeLessThanOrEqual(limit);
  });

  it('finds a line in the middle of a long output by its handle', async () => {
    const { result } = await run(limit, { answer: search });
    expect(result).toMatchObject({ outcome: { status: 'completed', finalText: 'It is 4711.' } });
  });

  it('does both if llm.context_length is four times too large', async () => {
    for (const answer of [lookForLine, search]) {
      const { result } = await run(limit, { answer, contextLength: 4 * limit });
      expect(result).toMatchObject({ outcome: { status: 'completed', finalText: 'It is 4711.' } });
    }
  });
});
