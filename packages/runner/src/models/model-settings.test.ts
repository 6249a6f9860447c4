import { describe, expect, it } from 'vitest';
import { checkEndpoint, checkModelSettings, llmSchema, ModelSettingsError } from './model-settings.ts';

const llmOf = (section: unknown) => llmSchema.parse(section);

describe('checkModelSettings', () => {
  it('says that no model is named, or that its key is not set, and where to put it', () => {
    expect(() => checkModelSettings(llmOf({}), {})).toThrow(/llm\.model is not set.*LLM_MODEL/);
    expect(() => checkModelSettings(llmOf({ model: 'm' }), {})).toThrow(ModelSettingsError);
    expect(() => checkModelSettings(llmOf({ model: 'm' }), {})).toThrow(/OPENAI_API_KEY is not set/);
    expect(() => checkModelSettings(llmOf({ model: 'm', api_key_env: 'KEY' }), {})).toThrow(/KEY is not set/);
    expect(() => checkModelSettings(llmOf({ preset: 'ollama', model: 'm' }), {})).not.toThrow();
    expect(() => checkModelSettings(llmOf({ base_url: 'http://x/v1', model: 'm' }), {})).not.toThrow();
    expect(() => checkModelSettings(llmOf({ module: './m.mjs' }), {})).not.toThrow();
  });

  it("sends OpenAI's key to no address of somebody's own, unless the preset asks for it", () => {
    const environment = { OPENAI_API_KEY: 'key-of-openai' };
    const own = { base_url: 'http://x/v1', model: 'm' };
    expect(checkEndpoint(llmOf(own), environment).secret).toBeNull();
    expect(checkEndpoint(llmOf({ ...own, preset: 'openai' }), environment)).toMatchObject({
      secret: 'key-of-openai',
      baseUrl: 'http://x/v1',
    });
  });
});
