import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { findCapabilities } from './find-capabilities.ts';

let server: Server | null = null;
afterEach(() => server?.close());

/** Asks a server that has these addresses. */
async function find(paths: Readonly<Record<string, unknown>>) {
  const asked: string[] = [];
  server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const body = paths[request.url ?? ''];
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body ?? { error: 'not found' }));
  });
  await new Promise<void>((listening) => server?.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}/v1/`;
  return { found: await findCapabilities({ baseUrl, secret: null }, { model: 'm' }), asked };
}

const list = (fields: object) => ({ object: 'list', data: [{ id: 'other' }, { id: 'm', ...fields }] });

describe('findCapabilities', () => {
  it.each<[string, Readonly<Record<string, unknown>>, object]>([
    ['vLLM', { '/v1/models': list({ max_model_len: 40_960 }) }, { contextLength: 40_960, toolCalls: null }],
    [
      'OpenRouter',
      {
        '/v1/models': list({
          context_length: 262_144,
          top_provider: { context_length: 131_072 },
          architecture: { input_modalities: ['text', 'image'] },
          supported_parameters: ['tools', 'reasoning', 'temperature'],
        }),
      },
      { contextLength: 131_072, toolCalls: true, reasoning: true, images: true, structuredOutput: false },
    ],
    [
      'Mistral',
      {
        '/v1/models': list({
          max_context_length: 32_768,
          capabilities: { function_calling: true, vision: false },
        }),
      },
      { contextLength: 32_768, toolCalls: true, images: false },
    ],
    [
      'LM Studio',
      {
        '/v1/models': list({}),
        '/api/v0/models': list({
          type: 'vlm',
          loaded_context_length: 4_096,
          max_context_length: 131_072,
          capabilities: ['tool_use'],
        }),
      },
      { contextLength: 4_096, toolCalls: true, images: true },
    ],
    [
      'Ollama with a setting',
      {
        '/v1/models': list({}),
        '/api/ps': { models: [] },
        '/api/show': {
          parameters: 'stop "<|im_end|>"\nnum_ctx                        16384',
          model_info: { 'qwen3.context_length': 40_960 },
          capabilities: ['completion', 'tools', 'thinking'],
        },
      },
      { contextLength: 16_384, toolCalls: true, reasoning: true, images: false },
    ],
    [
      'Ollama with a loaded model',
      {
        '/v1/models': list({}),
        '/api/ps': { models: [{ name: 'm', context_length: 8_192 }] },
        '/api/show': { model_info: { 'qwen3.context_length': 40_960 } },
      },
      { contextLength: 8_192 },
    ],
    [
      'llama.cpp',
      {
        '/v1/models': list({ meta: { n_ctx_train: 131_072 } }),
        '/props': { default_generation_settings: { n_ctx: 8_192 }, modalities: { vision: false } },
      },
      { contextLength: 8_192, images: false },
    ],
    [
      'LM Studio 0.4',
      {
        '/v1/models': list({}),
        '/api/v1/models': {
          models: [
            {
              key: 'm',
              loaded_instances: [{ id: 'm', config: { context_length: 4_096 } }],
              max_context_length: 131_072,
              capabilities: { vision: true, trained_for_tool_use: true },
            },
          ],
        },
      },
      { contextLength: 4_096, toolCalls: true, images: true },
    ],
    [
      'Ollama without a loaded model',
      {
        '/v1/models': list({}),
        '/api/ps': { models: [] },
        '/api/show': { model_info: { 'qwen3.context_length': 40_960 }, capabilities: ['tools'] },
      },
      { contextLength: null, toolCalls: true },
    ],
    [
      'Ollama with a model whose tag was left out',
      {
        '/v1/models': { data: [{ id: 'm:latest' }] },
        '/api/ps': { models: [{ name: 'm:latest', context_length: 8_192 }] },
        '/api/show': {},
      },
      { contextLength: 8_192 },
    ],
    [
      'a list without a frame',
      { '/v1/models': [{ id: 'm', context_length: 8_192 }] },
      { contextLength: 8_192 },
    ],
    [
      'Gemini',
      { '/v1/models': { models: [{ name: 'models/m', inputTokenLimit: 1_048_576 }] } },
      { contextLength: 1_048_576 },
    ],
    [
      'Copilot',
      {
        '/v1/models': list({
          capabilities: { limits: { max_prompt_tokens: 64_000, max_context_window_tokens: 128_000 } },
        }),
      },
      { contextLength: 64_000 },
    ],
    [
      'TGI',
      { '/v1/models': list({}), '/info': { max_input_tokens: 4_095, max_total_tokens: 4_096 } },
      { contextLength: 4_096 },
    ],
    [
      'KoboldCpp',
      { '/v1/models': list({}), '/api/extra/true_max_context_length': { value: 8_192 } },
      { contextLength: 8_192 },
    ],
    [
      'a server with a number as text',
      { '/v1/models': list({ max_model_len: '8,192' }) },
      { contextLength: 8_192 },
    ],
    [
      'a server whose list has 0',
      {
        '/v1/models': list({ context_length: 0 }),
        '/props': { default_generation_settings: { n_ctx: 8_192 } },
      },
      { contextLength: 8_192 },
    ],
    [
      'a server with 0',
      { '/v1/models': list({ context_length: 0 }) },
      { contextLength: null, unusableContextLength: 0 },
    ],
    ['a server with -1', { '/v1/models': list({ max_model_len: -1 }) }, { unusableContextLength: -1 }],
  ])('reads what %s reports', async (_, paths, expected) => {
    expect((await find(paths)).found).toMatchObject(expected);
  });

  it.each([true, [8_192], {}, '', 'unlimited', 9.2e18])('ignores the length %j', async (length) => {
    expect(
      (await find({ '/v1/models': list({ context_length: length, max_model_len: 8_192 }) })).found,
    ).toMatchObject({
      contextLength: 8_192,
      unusableContextLength: null,
    });
  });

  it('finds nothing on a server that reports nothing, and sends it no POST', async () => {
    const { found, asked } = await find({ '/v1/models': list({}) });
    expect(found).toBeNull();
    expect(asked.filter((one) => !one.startsWith('GET'))).toEqual([]);
    expect(asked).toContain('GET /v1/models');
  });
});
