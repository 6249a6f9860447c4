import { describe, expect, it } from 'vitest';
import { chooseModel } from './choose-model.ts';

const endpoint = { LLM_BASE_URL: 'http://127.0.0.1:1234/v1', LLM_MODEL: 'some-model' };

describe('chooseModel', () => {
  it('plays the script when no model is named', () => {
    expect(chooseModel({})).toEqual({ kind: 'script', api: 'responses' });
    expect(chooseModel({ LLM_BASE_URL: '', LLM_API: 'chat' })).toEqual({ kind: 'script', api: 'chat' });
  });

  it('takes the endpoint that the environment names', () => {
    const { LLM_BASE_URL: baseUrl, LLM_MODEL: model } = endpoint;
    expect(chooseModel(endpoint)).toEqual({ kind: 'endpoint', baseUrl, model, api: null, hasKey: false });
    const chosen = chooseModel({ ...endpoint, LLM_API: 'chat', LLM_API_KEY: 'k' });
    expect(chosen).toMatchObject({ api: 'chat', hasKey: true });
  });

  it('takes the window that the environment names', () => {
    expect(chooseModel({ LLM_CONTEXT_LENGTH: '8192' })).toMatchObject({ contextLength: 8_192 });
    expect(chooseModel({ ...endpoint, LLM_CONTEXT_LENGTH: '16384' })).toMatchObject({
      contextLength: 16_384,
    });
    for (const LLM_CONTEXT_LENGTH of ['0', '-1', '8k', '1.5'])
      expect(() => chooseModel({ LLM_CONTEXT_LENGTH })).toThrow('must be a number of tokens');
  });

  it('says what is missing or wrong', () => {
    expect(() => chooseModel({ LLM_MODEL: 'm' })).toThrow('LLM_MODEL is set but LLM_BASE_URL is not');
    expect(() => chooseModel({ LLM_BASE_URL: 'http://x' })).toThrow(
      'LLM_BASE_URL is set but LLM_MODEL is not',
    );
    expect(() => chooseModel({ ...endpoint, LLM_API: 'grpc' })).toThrow(
      'must be "responses" or "chat"; it is "grpc"',
    );
  });
});
