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
      'a server with 0',
      { '/v1/models': list({ context_length: 0 }) },
      { contextLength: null, unusableContextLength: 0 },
    ],
    ['a server with -1', { '/v1/models': list({ max_model_len: -1 }) }, { unusableContextLength: -1 }],
  ])('reads what %s reports', async (_, paths, expected) => {
    expect((await find(paths)).found).toMatchObject(expected);
  });

  it('finds nothing on a server that reports nothing, and sends it no POST', async () => {
    const { found, asked } = await find({ '/v1/models': list({}) });
    expect(found).toBeNull();
    expect(asked.filter((one) => !one.startsWith('GET'))).toEqual([]);
    expect(asked).toContain('GET /v1/models');
  });
});
