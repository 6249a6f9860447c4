import { createOpenAI } from '@ai-sdk/openai';
import { generateText, streamText, tool } from 'ai';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type FaultyModel, type ModelReaction, startFaultyModel } from './index.ts';

describe('the faulty model', () => {
  let server: FaultyModel;
  afterEach(() => server.close());

  async function start(react: (index: number) => ModelReaction) {
    server = await startFaultyModel((_, index) => react(index), { usage: { input: 3, output: 4 } });
    const provider = createOpenAI({ baseURL: server.baseUrl, apiKey: 'none' });
    return { responses: provider.responses('m'), chat: provider.chat('m') };
  }
  const inputSchema = z.object({ a: z.number() });
  const tools = { answer: tool({ description: 'Answers.', inputSchema, execute: async () => 'taken' }) };

  it.each(['responses', 'chat'] as const)('answers as it is told, by %s', async (api) => {
    const { [api]: model } = await start((index) =>
      index === 0
        ? { kind: 'call', calls: [{ id: 'c1', name: 'answer', arguments: '{"a":1}' }] }
        : { kind: 'say', text: 'Done.' },
    );
    const called = await generateText({ model, tools, prompt: 'go' });
    expect(called.toolCalls).toMatchObject([{ toolCallId: 'c1', toolName: 'answer', input: { a: 1 } }]);
    const said = await generateText({ model, tools, prompt: 'go' });
    expect([said.text, said.usage.inputTokens, said.usage.outputTokens]).toEqual(['Done.', 3, 4]);
  });

  it.each(['responses', 'chat'] as const)('says it by a call where one must be made, by %s', async (api) => {
    const { [api]: model } = await start(() => ({ kind: 'say', text: '{"a":2}' }));
    const { toolCalls } = await generateText({ model, tools, toolChoice: 'required', prompt: 'go' });
    expect(toolCalls).toMatchObject([{ toolName: 'answer', input: { a: 2 } }]);
    expect(server.requests.map(({ mode }) => mode)).toEqual(['tool']);
  });

  it('streams a chat', async () => {
    const { chat: model } = await start((index) =>
      index === 0
        ? { kind: 'call', calls: [{ id: 'c1', name: 'answer', arguments: '{"a":1}' }] }
        : { kind: 'say', text: 'Done.' },
    );
    expect(await streamText({ model, tools, prompt: 'go' }).toolCalls).toMatchObject([{ input: { a: 1 } }]);
    expect(await streamText({ model, tools, prompt: 'go' }).text).toBe('Done.');
  });

  it('refuses, talks nonsense and says when it may be asked again', async () => {
    server = await startFaultyModel((_, index) =>
      index === 0
        ? { kind: 'refuse', status: 429, retryAfterMs: 5 }
        : { kind: 'raw', body: '<html>welcome</html>' },
    );
    const ask = () => fetch(`${server.baseUrl}/responses`, { method: 'POST', body: '{"text":{}}' });
    const refused = await ask();
    expect([refused.status, refused.headers.get('retry-after-ms')]).toEqual([429, '5']);
    expect(await refused.json()).toMatchObject({ error: { message: 'not supported' } });
    expect(await (await ask()).text()).toBe('<html>welcome</html>');
    expect(server.requests.map(({ path, mode }) => `${path} ${mode}`)).toEqual(
      Array.from({ length: 2 }, () => '/v1/responses format'),
    );
  });
});
