import { createOpenAI } from '@ai-sdk/openai';
import { generateText, isStepCount, type LanguageModel, tool } from 'ai';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { followSteps } from './follow-steps.ts';
import type { Script } from './script.ts';
import type { ScriptedModel, ScriptedModelOptions } from './scripted-model.ts';
import { startScriptedModel } from './start-scripted-model.ts';

const running: ScriptedModel[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()));
});

async function start(script: Script, options: Omit<ScriptedModelOptions, 'script'> = {}) {
  const server = await startScriptedModel({ script, ...options });
  running.push(server);
  const provider = createOpenAI({ baseURL: server.baseUrl, apiKey: 'key' });
  return {
    server,
    models: { responses: provider.responses('scripted-model'), chat: provider.chat('scripted-model') },
  };
}

const twoSteps = followSteps([
  {
    text: 'Looking.',
    toolCalls: [
      { name: 'read', input: { path: 'a.txt' } },
      { name: 'read', input: { path: 'b' } },
    ],
  },
  ({ exchanges }) => ({
    text: `Read ${exchanges.map(({ input, output }) => `${input?.path}: ${output}`).join(', ')}`,
  }),
]);
const read = tool({
  description: 'Reads a file',
  inputSchema: z.object({ path: z.string() }),
  execute: ({ path }) => `text of ${path}`,
});

function run(model: LanguageModel, { maxRetries = 0 } = {}) {
  return generateText({
    model,
    maxRetries,
    instructions: 'Be brief.',
    prompt: 'Read two files.',
    tools: { read },
    stopWhen: isStepCount(4),
    providerOptions: { openai: { store: false } },
  });
}

describe.each(['responses', 'chat'] as const)('startScriptedModel over %s', (api) => {
  it('plays its script to the real client: text, parallel calls, then what it makes of their results', async () => {
    const { models, server } = await start(twoSteps);
    const result = await run(models[api]);
    expect(result.steps.map(({ text, toolCalls }) => [text, toolCalls.length])).toEqual([
      ['Looking.', 2],
      ['Read a.txt: text of a.txt, b: text of b', 0],
    ]);
    expect(result.finishReason).toBe('stop');
    expect(result.usage.inputTokens).toBeGreaterThan(0);
    expect(server.requests).toHaveLength(2);
  });

  it('shows the script instructions, messages and the tools on offer, and knows nothing of earlier requests', async () => {
    const seen: unknown[] = [];
    const { models } = await start(({ instructions, messages, tools, turns }) => {
      seen.push({ instructions, messages, tools, turns });
      return { text: 'Done.' };
    });
    await run(models[api]);
    await run(models[api]);
    const view = {
      instructions: 'Be brief.',
      messages: [{ role: 'user', text: 'Read two files.' }],
      tools: ['read'],
      turns: 0,
    };
    expect(seen).toEqual([view, view]);
  });

  it('can send arguments that break off, a tool that does not exist and an answer that says nothing', async () => {
    const { models, server } = await start(twoSteps);
    server.misbehave({ kind: 'malformed-arguments' });
    const malformed = await run(models[api]);
    expect(malformed.steps[0]?.toolCalls[0]).toMatchObject({ invalid: true });
    server.misbehave({ kind: 'unknown-tool' });
    const unknown = await run(models[api]);
    expect(unknown.steps[0]?.toolCalls[0]).toMatchObject({ toolName: 'read_that_is_not', invalid: true });
    server.misbehave({ kind: 'empty' });
    const outcome = await run(models[api]).then(
      ({ text }) => text,
      (error: Error) => error.message,
    );
    expect(outcome).toMatch(/^$|no output/i);
  });

  it('can answer with an error, as often as it is told to, and then goes on', async () => {
    const { models, server } = await start(twoSteps);
    server.misbehave({ kind: 'status', status: 429, message: 'slow down', retryAfterMs: 1 }, { times: 2 });
    expect((await run(models[api], { maxRetries: 2 })).steps).toHaveLength(2);
    expect(server.requests).toHaveLength(4);
    server.misbehave({ kind: 'status', status: 401, message: 'wrong key' });
    await expect(run(models[api])).rejects.toMatchObject({ statusCode: 401, message: 'wrong key' });
  });

  it('can answer late', async () => {
    const waits: number[] = [];
    const sleep = async (milliseconds: number) => void waits.push(milliseconds);
    const { models, server } = await start(twoSteps, { sleep });
    server.misbehave({ kind: 'slow', delayMs: 700 });
    expect((await run(models[api])).steps).toHaveLength(2);
    expect(waits).toEqual([700]);
  });

  it.each(['garbage', 'html', 'reset', 'unloaded', 'crashed'] as const)('can fail with %s', async (kind) => {
    const { models, server } = await start(twoSteps);
    server.misbehave({ kind });
    await expect(run(models[api])).rejects.toThrow();
    expect((await run(models[api])).steps).toHaveLength(2);
  });

  it('can leave a caller waiting, and lets go of it when it closes', async () => {
    let waiting: Promise<void> = Promise.resolve();
    await new Promise<void>((resolve) => {
      start(twoSteps, { onRequest: () => resolve() }).then(({ models, server }) => {
        server.misbehave({ kind: 'hang' });
        waiting = expect(run(models[api])).rejects.toThrow();
      });
    });
    await running.splice(0)[0]?.close();
    await waiting;
  });
});

describe('startScriptedModel', () => {
  const post = (server: ScriptedModel, path: string, body: unknown) =>
    fetch(`${server.baseUrl}${path}`, { method: 'POST', body: JSON.stringify(body) });
  const hello = { role: 'user', content: 'hi' };

  it('lists its models and refuses others', async () => {
    const { server } = await start(() => ({ text: 'hi' }), { models: ['a', 'b'] });
    const { data } = (await (await fetch(`${server.baseUrl}/models`)).json()) as { data: { id: string }[] };
    expect(data.map(({ id }) => id)).toEqual(['a', 'b']);
    expect((await post(server, '/chat/completions', { model: 'c', messages: [hello] })).status).toBe(404);
    expect((await post(server, '/chat/completions', { model: 'b', messages: [hello] })).status).toBe(200);
  });

  it('asks for the key when it has one', async () => {
    const { server, models } = await start(() => ({ text: 'hi' }), { apiKey: 'key' });
    expect((await fetch(`${server.baseUrl}/models`)).status).toBe(401);
    expect((await run(models.chat)).text).toBe('hi');
  });

  it.each([
    ['a body that is no JSON object', '/responses', 'nonsense', 400],
    [
      'a reference to its memory',
      '/responses',
      { model: 'scripted-model', input: [{ type: 'item_reference', id: 'x' }] },
      404,
    ],
    [
      'an earlier response',
      '/responses',
      { model: 'scripted-model', input: [hello], previous_response_id: 'r' },
      400,
    ],
    ['a stream', '/chat/completions', { model: 'scripted-model', messages: [hello], stream: true }, 400],
    [
      'a call without its result',
      '/responses',
      {
        model: 'scripted-model',
        input: [{ type: 'function_call', call_id: 'c', name: 'n', arguments: '{}' }],
      },
      400,
    ],
    [
      'a result without its call',
      '/chat/completions',
      { model: 'scripted-model', messages: [{ role: 'tool', tool_call_id: 'c', content: 'x' }] },
      400,
    ],
    ['another path', '/embeddings', {}, 404],
  ])('refuses %s, as an endpoint without memory would', async (_, path, body, status) => {
    const { server } = await start(() => ({ text: 'hi' }));
    const answer = await post(server, path, body);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ error: { message: expect.stringMatching(/./) } });
  });

  it('says so when the script itself fails', async () => {
    const { models } = await start(() => {
      throw new Error('no such step');
    });
    await expect(run(models.chat)).rejects.toThrow('The script failed: no such step');
  });
});
