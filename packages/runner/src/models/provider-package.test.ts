import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { generateText } from 'ai';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createModel } from './create-model.ts';
import { checkModelSettings, listKeyVariables, llmSchema } from './model-settings.ts';

let directory = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'provider-'));
});
afterEach(() => rm(directory, { recursive: true }));

/** A provider as packages of the AI SDK export it: its model answers with the options that it was created with. */
const createProvider = `(options) => ({
  languageModel: (modelId) => ({
    specificationVersion: 'v4', provider: 'acme', modelId, supportedUrls: {},
    doGenerate: async () => ({
      content: [{ type: 'text', text: JSON.stringify({ ...options, fetch: typeof options.fetch }) }],
      finishReason: { unified: 'stop', raw: 'stop' },
      usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
      warnings: [],
    }),
  }),
})`;

async function install(name: string, source: string, manifest: object = {}): Promise<void> {
  const at = join(directory, 'node_modules', name);
  await mkdir(join(at, 'dist'), { recursive: true });
  const file = join(at, 'dist/index.js');
  await writeFile(file, source);
  const exports = { '.': { import: './dist/index.js' } };
  await writeFile(join(at, 'package.json'), JSON.stringify({ name, type: 'module', exports, ...manifest }));
}

async function ask(section: object, environment: Readonly<Record<string, string>> = {}) {
  const llm = llmSchema.parse({ model: 'm', ...section });
  const { model } = await createModel(llm, { environment, directory });
  return JSON.parse((await generateText({ model, prompt: 'Go.', maxRetries: 0 })).text) as unknown;
}

describe('a package of the AI SDK that is named as the provider', () => {
  it('is loaded from the directory of the configuration, with address, key and fetch', async () => {
    await install(
      '@acme/ai-sdk-provider',
      `export const version = '1'; export const createAcme = ${createProvider};`,
    );
    const provider = '@acme/ai-sdk-provider';
    expect(await ask({ provider }, { ACME_API_KEY: 'k' })).toEqual({ apiKey: 'k', fetch: 'function' });
    expect(await ask({ provider, base_url: 'http://h/v1', api_key_env: 'MY_KEY' }, { MY_KEY: 'k2' })).toEqual(
      {
        apiKey: 'k2',
        baseURL: 'http://h/v1',
        fetch: 'function',
      },
    );
    expect(await ask({ provider })).toEqual({ fetch: 'function' });
  });

  it('is found above the directory, and by its main file', async () => {
    await install('acme-ai-provider', `export const createAcme = ${createProvider};`, {
      exports: undefined,
      main: 'dist/index.js',
    });
    const below = join(directory, 'config/of/daemon');
    await mkdir(below, { recursive: true });
    const llm = llmSchema.parse({ provider: 'acme-ai-provider', model: 'm' });
    const { description } = await createModel(llm, { environment: {}, directory: below });
    expect(description).toMatchObject({ provider: 'acme-ai-provider', model: 'm' });
    expect(dirname(below)).toContain('config/of');
  });

  it('is named with its command if it is not installed', async () => {
    await expect(ask({ provider: '@acme/missing' })).rejects.toMatchObject({
      code: 'model-settings',
      fault: 'package-missing',
      message: expect.stringContaining('npm install @acme/missing'),
    });
  });

  it('is named if it creates no provider, or breaks', async () => {
    await install('@acme/other', 'export const createThing = () => 1; export const acme = 2;');
    await expect(ask({ provider: '@acme/other' })).rejects.toThrow('@acme/other has no function such as');
    await install('@acme/broken', 'throw new Error("too old");');
    await expect(ask({ provider: '@acme/broken' })).rejects.toThrow('@acme/broken cannot be loaded: too old');
  });

  it('needs a name by custom, so that a slip in the name of a vendor is not taken for a package', () => {
    expect(() => llmSchema.parse({ provider: 'anthropc' })).toThrow('@ai-sdk/mistral');
    expect(llmSchema.parse({ provider: '@ai-sdk/mistral' }).provider).toBe('@ai-sdk/mistral');
  });

  it('has a key that is kept out of logs, and needs a key only where one is named', () => {
    const llm = llmSchema.parse({ provider: '@ai-sdk/mistral', model: 'm' });
    expect(listKeyVariables(llm)).toContain('MISTRAL_API_KEY');
    expect(() => checkModelSettings(llm, {})).not.toThrow();
    const named = llmSchema.parse({ provider: '@ai-sdk/mistral', model: 'm', api_key_env: 'MY_KEY' });
    expect(() => checkModelSettings(named, {})).toThrow('MY_KEY is not set');
  });
});
