import { createOpenAI } from '@ai-sdk/openai';
import { generateText, jsonSchema, Output, streamText, tool } from 'ai';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Engine, type EngineAnswer, EngineError, type EngineRequest } from './engine.ts';
import { type Front, startFront } from './start-front.ts';

let front: Front | null = null;
afterEach(async () => {
  await front?.close();
  front = null;
});

const usage = { promptTokens: 40, cachedTokens: 30, completionTokens: 5 };
const hello: EngineAnswer = { text: 'Hello there.', calls: [], end: 'stop', usage };

interface Started {
  readonly provider: ReturnType<typeof createOpenAI>;
  readonly requests: readonly EngineRequest[];
}

async function start(
  answer: (request: EngineRequest, signal: AbortSignal) => Promise<EngineAnswer> | EngineAnswer,
): Promise<Started> {
  const requests: EngineRequest[] = [];
  const engine: Engine = {
    model: 'small',
    contextLength: 8192,
    answer: async (request, { signal, onText }) => {
      requests.push(request);
      const given = await answer(request, signal);
      for (const piece of given.text.split(/(?<= )/)) onText?.(piece);
      return given;
    },
    close: async () => {},
  };
  front = await startFront({ engine });
  return { provider: createOpenAI({ baseURL: front.baseUrl, apiKey: 'none' }), requests };
}

const inputSchema = z.object({ path: z.string() });
const description = 'Reads a file';

describe('startFront', () => {
  it('answers chat completions with the usage of the tokenizer', async () => {
    const { provider } = await start(() => hello);
    const answer = await generateText({ model: provider.chat('small'), prompt: 'Hi' });
    expect(answer.text).toBe('Hello there.');
    expect(answer.finishReason).toBe('stop');
    expect(answer.usage).toMatchObject({ inputTokens: 40, outputTokens: 5 });
    expect(answer.usage.inputTokenDetails.cacheReadTokens).toBe(30);
  });

  it.each(['chat', 'responses'] as const)('streams an answer of the %s endpoint in pieces', async (api) => {
    const { provider } = await start(() => hello);
    const {
      textStream,
      finishReason,
      usage: counted,
    } = streamText({ model: provider[api]('small'), prompt: 'Hi' });
    const pieces: string[] = [];
    for await (const piece of textStream) pieces.push(piece);
    expect(pieces).toEqual(['Hello ', 'there.']);
    expect(await finishReason).toBe('stop');
    expect(await counted).toMatchObject({ inputTokens: 40, outputTokens: 5 });
  });

  it('returns tool calls, and shows their results to the model in the next request', async () => {
    const call = { name: 'read_file', input: '{"path":"total.js"}' };
    const { provider, requests } = await start((request) =>
      request.messages.length < 3 ? { ...hello, text: '', calls: [call] } : hello,
    );
    const answer = await generateText({
      model: provider.chat('small'),
      instructions: 'Use tools.',
      prompt: 'Read it.',
      tools: { read_file: tool({ description, inputSchema, execute: async () => 'const total = 0;' }) },
      stopWhen: ({ steps }) => steps.length === 2,
    });
    expect(answer.text).toBe('Hello there.');
    expect(requests[0]).toMatchObject({ tools: [{ name: 'read_file' }], form: { kind: 'free' } });
    expect(requests[1]?.messages).toEqual([
      { role: 'system', text: 'Use tools.' },
      { role: 'user', text: 'Read it.' },
      {
        role: 'assistant',
        text: '',
        calls: [{ name: 'read_file', input: { path: 'total.js' }, result: 'const total = 0;' }],
      },
    ]);
  });

  it('forces a call or JSON if the request wants it', async () => {
    const calls = [{ name: 'read_file', input: '{}' }];
    const { provider, requests } = await start(({ form }) =>
      form.kind === 'call' ? { ...hello, text: '', calls } : { ...hello, text: '{"done":true}' },
    );
    const model = provider.chat('small');
    await generateText({
      model,
      prompt: 'Call.',
      tools: { read_file: tool({ description, inputSchema }) },
      toolChoice: 'required',
    });
    const schema = { type: 'object', properties: { done: { type: 'boolean' } } } as const;
    await generateText({ model, prompt: 'Tell.', output: Output.object({ schema: jsonSchema(schema) }) });
    expect(requests.map(({ form }) => form)).toMatchObject([{ kind: 'call' }, { kind: 'json', schema }]);
  });

  it('reports an answer that was cut at the limit', async () => {
    const { provider } = await start(() => ({ ...hello, end: 'length' }));
    for (const model of [provider.chat('small'), provider.responses('small')])
      expect((await generateText({ model, prompt: 'Hi' })).finishReason).toBe('length');
  });

  it('refuses a prompt that is longer than the window with code context_length_exceeded', async () => {
    const { provider } = await start(() => {
      throw new EngineError('context_length_exceeded', 'maximum context length is 8192 tokens');
    });
    await expect(
      generateText({ model: provider.chat('small'), prompt: 'Hi', maxRetries: 0 }),
    ).rejects.toMatchObject({
      statusCode: 400,
      message: 'maximum context length is 8192 tokens',
      data: { error: { code: 'context_length_exceeded' } },
    });
  });

  it('refuses pictures and bodies that are no request', async () => {
    const { provider } = await start(() => hello);
    const image = { type: 'file', mediaType: 'image/png', data: new Uint8Array([1]) } as const;
    const messages = [{ role: 'user' as const, content: [image] }];
    await expect(generateText({ model: provider.chat('small'), messages, maxRetries: 0 })).rejects.toThrow(
      /only text/,
    );
    const send = (body: string) => fetch(`${front?.baseUrl}/chat/completions`, { method: 'POST', body });
    expect((await send('{"model":"small"}')).status).toBe(400);
    expect((await send('not JSON')).status).toBe(400);
  });

  it('answers one request at a time, in their order', async () => {
    let running = 0;
    const order: string[] = [];
    const { provider } = await start(async ({ messages }) => {
      running += 1;
      expect(running).toBe(1);
      await new Promise((resolve) => setImmediate(resolve));
      order.push(messages[0]?.text ?? '');
      running -= 1;
      return hello;
    });
    const prompts = ['1', '2', '3'];
    await Promise.all(prompts.map((prompt) => generateText({ model: provider.chat('small'), prompt })));
    expect(order.toSorted()).toEqual(prompts);
  });

  it('stops an answer as soon as its client is gone', async () => {
    const gone = new AbortController();
    const stopped = Promise.withResolvers<void>();
    const { provider } = await start(
      (_, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            stopped.resolve();
            reject(signal.reason as Error);
          });
          gone.abort();
        }),
    );
    const asked = generateText({ model: provider.chat('small'), prompt: 'Hi', abortSignal: gone.signal });
    await expect(asked).rejects.toThrow();
    await stopped.promise;
  });

  it('lists its model with the length of its window', async () => {
    await start(() => hello);
    const listed = await fetch(`${front?.baseUrl}/models`);
    expect(await listed.json()).toMatchObject({ data: [{ id: 'small', max_model_len: 8192 }] });
  });
});
