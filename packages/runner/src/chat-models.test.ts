import { describe, expect, it } from 'vitest';
import { isChatModel } from './chat-models.ts';

describe('isChatModel', () => {
  it.each([
    'qwen3:8b',
    'llama3.2',
    'openai/gpt-oss-20b',
    'gemma-3-12b-it',
    'qwen3-coder-30b',
    'mistral-small',
  ])('accepts %s', (name) => expect(isChatModel(name)).toBe(true));

  it.each([
    ...['text-embedding-nomic-embed-text-v1.5', 'bge-m3:latest', 'all-minilm:latest', 'gte-large'],
    ...[
      'paraphrase-multilingual',
      'qwen3-reranker-0.6b',
      'whisper-large-v3',
      'tts-1-hd',
      'multilingual-e5-large',
    ],
  ])('rejects %s', (name) => expect(isChatModel(name)).toBe(false));
});
