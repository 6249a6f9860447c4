import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { generateText, type LanguageModel } from 'ai';
import { afterEach, describe, expect, it } from 'vitest';
import { readUsage } from '../usage.ts';
import { createModel, type TaskModel } from './create-model.ts';
import { checkModelSettings, listKeyVariables, llmSchema } from './model-settings.ts';
import { withPromptCache } from './prompt-cache.ts';
import { explainMissing } from './providers.ts';

let server: Server | null = null;
afterEach(() => {
  server?.close();
  server = null;
});

interface Asked {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Readonly<Record<string, unknown>>;
}

/** Answers every request alike, and remembers it. */
async function startVendor(answer: object): Promise<{ readonly url: string; readonly asked: Asked[] }> {
  const asked: Asked[] = [];
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Asked['body'];
    asked.push({ path: request.url ?? '', headers: request.headers, body });
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const ask = ({ model, promptCache = null }: TaskModel) =>
  generateText({
    model: withPromptCache(model as Exclude<LanguageModel, string>, { way: promptCache, key: 'run-1' }),
    instructions: 'You count.',
    messages: [
      { role: 'user', content: 'Two and two?' },
      { role: 'assistant', content: 'Four.' },
      { role: 'user', content: 'And two?' },
    ],
    maxRetries: 0,
  });

const environment = {
  ANTHROPIC_API_KEY: 'key-of-anthropic',
  GOOGLE_GENERATIVE_AI_API_KEY: 'key-of-google',
  AZURE_API_KEY: 'key-of-azure',
  AWS_BEARER_TOKEN_BEDROCK: 'key-of-bedrock',
  OPENAI_API_KEY: 'key-of-openai',
};

const configure = (section: object) => createModel(llmSchema.parse(section), { environment, directory: '.' });

const responses = {
  id: 'r1',
  object: 'response',
  created_at: 1,
  status: 'completed',
  model: 'm',
  output: [
    {
      type: 'message',
      id: 'm1',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'Six.', annotations: [] }],
    },
  ],
  usage: {
    input_tokens: 10,
    output_tokens: 5,
    input_tokens_details: { cached_tokens: 8 },
    output_tokens_details: { reasoning_tokens: 2 },
  },
};

describe('the model of a vendor', () => {
  it('asks Anthropic, which is told what to keep in its cache, and counts what came from there [NX-200]', async () => {
    const { url, asked } = await startVendor({
      type: 'message',
      id: 'm1',
      model: 'claude',
      role: 'assistant',
      content: [{ type: 'text', text: 'Six.' }],
      stop_reason: 'end_turn',
      usage: {
        input_tokens: 3,
        output_tokens: 5,
        cache_read_input_tokens: 90,
        cache_creation_input_tokens: 7,
      },
    });
    const configured = await configure({ provider: 'anthropic', base_url: url, model: 'claude' });
    const result = await ask(configured);
    expect(result.text).toBe('Six.');
    expect(readUsage(result)).toMatchObject({ inputTokens: 100, cachedInputTokens: 90, outputTokens: 5 });
    const [{ path, headers, body }] = asked as [Asked];
    expect([path, headers['x-api-key'], body.model]).toEqual(['/messages', 'key-of-anthropic', 'claude']);
    const marked = { type: 'text', cache_control: { type: 'ephemeral' } };
    expect(body.system).toMatchObject([{ ...marked, text: 'You count.' }]);
    expect(body.messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant' },
      { role: 'user', content: [{ ...marked, text: 'And two?' }] },
    ]);
    expect(JSON.stringify(body).split('cache_control')).toHaveLength(3);
  });

  it('asks Google [NX-200]', async () => {
    const { url, asked } = await startVendor({
      candidates: [{ content: { role: 'model', parts: [{ text: 'Six.' }] }, finishReason: 'STOP' }],
      usageMetadata: {
        promptTokenCount: 10,
        candidatesTokenCount: 5,
        cachedContentTokenCount: 4,
        thoughtsTokenCount: 3,
        totalTokenCount: 18,
      },
    });
    const result = await ask(await configure({ provider: 'google', base_url: url, model: 'gemini' }));
    expect(result.text).toBe('Six.');
    expect(readUsage(result)).toMatchObject({ inputTokens: 10, cachedInputTokens: 4, reasoningTokens: 3 });
    expect(asked[0]?.path).toBe('/models/gemini:generateContent');
    expect(asked[0]?.headers['x-goog-api-key']).toBe('key-of-google');
  });

  it('asks Azure, by a key that the requests of a run share [NX-200]', async () => {
    const { url, asked } = await startVendor(responses);
    const result = await ask(
      await configure({ provider: 'azure', base_url: `${url}/openai/v1`, model: 'gpt' }),
    );
    expect(result.text).toBe('Six.');
    expect(asked[0]?.path).toContain('/openai/v1/responses');
    expect(asked[0]?.headers['api-key']).toBe('key-of-azure');
    expect(asked[0]?.body.prompt_cache_key).toBe('run-1');
  });

  it('asks Bedrock, with marks of what to keep [NX-200]', async () => {
    const { url, asked } = await startVendor({
      output: { message: { role: 'assistant', content: [{ text: 'Six.' }] } },
      stopReason: 'end_turn',
      usage: { inputTokens: 3, outputTokens: 5, totalTokens: 98, cacheReadInputTokens: 90 },
    });
    const result = await ask(await configure({ provider: 'bedrock', base_url: url, model: 'claude' }));
    expect(result.text).toBe('Six.');
    expect(readUsage(result)).toMatchObject({ cachedInputTokens: 90 });
    expect(asked[0]?.path).toBe('/model/claude/converse');
    expect(asked[0]?.headers.authorization).toBe('Bearer key-of-bedrock');
    expect(asked[0]?.body.system).toEqual([{ text: 'You count.' }, { cachePoint: { type: 'default' } }]);
  });

  it('asks OpenAI for its cache by a key, and no server of another make [NX-200]', async () => {
    const { url, asked } = await startVendor(responses);
    const result = await ask(await configure({ preset: 'openai', base_url: url, model: 'gpt' }));
    expect(readUsage(result)).toMatchObject({ cachedInputTokens: 8, reasoningTokens: 2 });
    await ask(await configure({ preset: 'lmstudio', base_url: url, model: 'qwen' }));
    expect(asked.map(({ body }) => body.prompt_cache_key)).toEqual(['run-1', undefined]);
  });

  it('says which package is missing, and how it is installed [NX-200]', async () => {
    const missing = await import(`@ai-sdk/${'nobody-made-this'}`).catch((error: unknown) => error);
    expect(explainMissing('anthropic', missing)).toMatchObject({
      code: 'model-settings',
      message:
        'llm.provider "anthropic" needs the package @ai-sdk/anthropic, which is not installed. Install it beside this program: npm install @ai-sdk/anthropic',
    });
    const other = new Error('no');
    expect(explainMissing('anthropic', other)).toBe(other);
  });
});

describe('the settings of models', () => {
  it('names models by what they are for, some in the place of others [NX-199]', async () => {
    const { description, tasks } = await configure({
      preset: 'openai',
      models: {
        planning: 'gpt-large',
        work: ['gpt', { provider: 'anthropic', model: 'claude' }],
      },
    });
    expect(description.model).toBe('gpt');
    const named = Object.entries(tasks ?? {}).map(([task, models]) => [
      task,
      ...models.map((one) => `${one.description.provider} ${one.description.model}`),
    ]);
    expect(named).toEqual([
      ['planning', 'openai gpt-large'],
      ['work', 'openai gpt', 'anthropic claude'],
    ]);
  });

  it('says at the start which key or address is missing', () => {
    const check =
      (section: object, given: Readonly<Record<string, string>> = {}) =>
      () =>
        checkModelSettings(llmSchema.parse(section), given);
    expect(check({ provider: 'anthropic', model: 'm' })).toThrow('ANTHROPIC_API_KEY is not set');
    expect(check({ provider: 'azure', model: 'm' }, environment)).toThrow('llm.base_url is not set');
    expect(check({ provider: 'bedrock', model: 'm' }, environment)).toThrow('AWS_REGION');
    expect(check({ provider: 'bedrock', model: 'm' }, { AWS_REGION: 'eu-west-1' })).toThrow(
      /BEDROCK is not set/,
    );
    const keys = { AWS_REGION: 'eu-west-1', AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' };
    expect(check({ provider: 'bedrock', model: 'm' }, keys)).not.toThrow();
    const fallback = { model: 'm', models: { work: ['m', { provider: 'google', model: 'g' }] } };
    expect(check(fallback, { OPENAI_API_KEY: 'k' })).toThrow('GOOGLE_GENERATIVE_AI_API_KEY is not set');
  });

  it('knows every variable that may hold a key, so that none is shown', () => {
    const llm = llmSchema.parse({ models: { summary: [{ model: 'm', api_key_env: 'KEY_OF_MINE' }] } });
    const variables = listKeyVariables(llm);
    for (const name of ['KEY_OF_MINE', 'OPENAI_API_KEY', 'AWS_SECRET_ACCESS_KEY', 'AWS_BEARER_TOKEN_BEDROCK'])
      expect(variables).toContain(name);
  });
});
