import { describe, expect, it } from 'vitest';
import { isChatModel, readModelList } from './chat-models.ts';

describe('isChatModel', () => {
  it.each([
    ...['qwen3:8b', 'llama3.2', 'openai/gpt-oss-20b', 'gemma-3-12b-it', 'qwen3-coder-30b', 'mistral-small'],
    ...['gpt-4o-search-preview', 'voxtral-small-latest', 'llava:7b', 'qwen3-vl-8b', 'amazon.nova-pro-v1:0'],
    ...['granite3.3:8b', 'deepseek-chat', 'command-r', 'hermes-3', 'openrouter/auto', 'reflection:70b'],
  ])('accepts %s', (name) => expect(isChatModel(name)).toBe(true));

  it.each([
    ...['text-embedding-nomic-embed-text-v1.5', 'bge-m3:latest', 'bge_m3', 'all-minilm:latest', 'gte-large'],
    ...[
      'paraphrase-multilingual',
      'multilingual-e5-large',
      'all-mpnet-base-v2',
      'm3e-base',
      'voyage-3-large',
    ],
    ...['qwen3-reranker-0.6b', 'whisper-large-v3', 'tts-1-hd', 'coqui/xtts-v2', 'qwen3-asr-flash'],
    ...['CosyVoice2-0.5B', 'mistral-ocr-latest', 'llama-guard3:1b', 'openai/gpt-oss-safeguard-20b'],
    ...['imagen-4.0-generate-001', 'sdxl-turbo', 'qwen-image', 'wan2.2-t2v-plus', 'sora-2', 'babbage-002'],
    ...['nvidia/nvclip', 'hkunlp/instructor-large', 'gpt-realtime', 'amazon.nova-canvas-v1:0'],
  ])('rejects %s', (name) => expect(isChatModel(name)).toBe(false));
});

describe('readModelList', () => {
  const firstOf = (value: unknown) => readModelList(value)?.find(({ isChat }) => isChat)?.name;

  it.each<[string, unknown]>([
    ['OpenAI', { object: 'list', data: [{ id: 'm', object: 'model' }] }],
    ['entries without a name', { data: [null, {}, { id: null }, { id: 'm' }] }],
    [
      'Together',
      [
        { id: 'a', type: 'embedding' },
        { id: 'b', type: 'image' },
        { id: 'm', type: 'chat' },
      ],
    ],
    [
      'LM Studio v0',
      {
        data: [
          { id: 'a', type: 'embeddings' },
          { id: 'm', type: 'vlm' },
        ],
      },
    ],
    [
      'LM Studio v1',
      {
        models: [
          { key: 'a', type: 'embedding' },
          { key: 'm', type: 'llm' },
        ],
      },
    ],
    [
      'Ollama',
      {
        models: [
          { name: 'a', capabilities: ['embedding'] },
          { name: 'm', model: 'm' },
        ],
      },
    ],
    ['llama.cpp', { models: [{ name: 'm', model: 'm' }], object: 'list', data: [{ id: 'm' }] }],
    ['Mistral', { data: [{ id: 'a', capabilities: { completion_chat: false } }, { id: 'm' }] }],
    ['OpenRouter', { data: [{ id: 'a', architecture: { output_modalities: ['image'] } }, { id: 'm' }] }],
    [
      'Fireworks',
      {
        data: [
          { id: 'a', supports_chat: false },
          { id: 'm', supports_chat: true },
        ],
      },
    ],
    [
      'Groq',
      {
        data: [
          { id: 'a', active: false },
          { id: 'm', active: true },
        ],
      },
    ],
    [
      'Cloudflare',
      {
        result: [
          { name: 'a', task: { name: 'Text Embeddings' } },
          { name: 'm', task: { name: 'Text Generation' } },
        ],
      },
    ],
    [
      'GitHub Models',
      [
        { id: 'azureml://x', name: 'a', task: 'embeddings' },
        { id: 'azureml://y', name: 'm', task: 'chat-completion' },
      ],
    ],
    [
      'Gemini',
      {
        models: [
          { name: 'a', supportedGenerationMethods: ['embedContent'] },
          { name: 'm', supportedGenerationMethods: ['generateContent'] },
        ],
      },
    ],
    [
      'Cohere',
      {
        models: [
          { name: 'a', endpoints: ['embed'] },
          { name: 'm', endpoints: ['chat', 'generate'] },
        ],
      },
    ],
    [
      'Hugging Face',
      {
        data: [
          { id: 'a', pipeline_tag: 'text-to-image' },
          { id: 'm', pipeline_tag: 'image-text-to-text' },
        ],
      },
    ],
    ['text-generation-webui', { model_names: ['m'] }],
  ])('finds the first chat model in the list of %s', (_, list) => {
    expect(firstOf(list)).toBe('m');
  });

  it.each([null, 'm', {}, { error: 'no' }, { data: {} }])('is null for %j', (value) => {
    expect(readModelList(value)).toBeNull();
  });
});
