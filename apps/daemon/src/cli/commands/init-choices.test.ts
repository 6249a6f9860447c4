// @module-tag full
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startHealthyWorld } from '../../../test/support/examination.ts';
import { answering, useInitBed } from '../../../test/support/init-bed.ts';
import { repository, token, type World } from '../../../test/support/world.ts';
import { loadConfig } from '../../config/load-config.ts';

const { init, configFile, directory } = useInitBed();

/** Only this model server runs on this machine, with these models. */
function serving(url: string, models: readonly string[]): typeof globalThis.fetch {
  return async (input) => {
    if (String(input) !== `${url}/models`) throw new TypeError('fetch failed');
    return Response.json({ data: models.map((id) => ({ id })) });
  };
}

const ollama = 'http://localhost:11434/v1';

describe('init', () => {
  it.each([
    ['qwen3-coder-30b', {}, 'lmstudio', 'lmstudio at http://localhost:1234/v1 (the default)'],
    ['openai/gpt-oss-20b', {}, 'lmstudio', 'the default'],
    ['gpt-5-mini', {}, 'openai', 'gpt-5-mini is a model of OpenAI'],
    ['o3', {}, 'openai', 'o3 is a model of OpenAI'],
    ['my-tuned-model', { OPENAI_API_KEY: 'x' }, 'openai', 'OPENAI_API_KEY is set'],
  ] as const)(
    'chooses the preset for --model %s with the environment %j, and prints how to change it',
    async (model, environment, preset, said) => {
      const { output } = await init({ repository: 'acme/shop', model, yes: true }, { environment });
      expect(output).toContain(said);
      expect(output).toContain('use --llm-preset, or llm.preset in the configuration');
      expect((await loadConfig(configFile(), {})).config.llm.preset).toBe(preset);
    },
  );

  it('chooses the server on this machine that has the model, whatever else suggests another', async () => {
    const given = { repository: 'acme/shop', model: 'gpt-4-local', yes: true };
    const parts = { environment: { OPENAI_API_KEY: 'x' }, fetch: serving(ollama, ['gpt-4-local']) };
    expect((await init(given, parts)).output).toContain('the server there has gpt-4-local');
    expect((await loadConfig(configFile(), {})).config.llm.preset).toBe('ollama');
  });

  it('suggests the server that runs on this machine, and its first model that can chat', async () => {
    const { prompt, asked } = answering(['', 'acme/shop', '', '', '', '', '']);
    const fetch = serving(ollama, ['bge-m3:latest', 'qwen3:8b', 'llama3.2']);
    const { output } = await init({}, { prompt, fetch, environment: { OPENAI_API_KEY: 'x' } });
    expect(output).toContain(`Found a model server at ${ollama}: qwen3:8b, llama3.2`);
    expect(asked.slice(4, 6)).toEqual([
      'Which model endpoint? (ollama, lmstudio, openai) [ollama] ',
      'Which model? [qwen3:8b] ',
    ]);
    expect((await loadConfig(configFile(), {})).config.llm).toMatchObject({
      preset: 'ollama',
      model: 'qwen3:8b',
    });
  });

  describe('with a repository that it can reach', () => {
    let world: World;
    beforeEach(async () => {
      world = await startHealthyWorld();
    });
    afterEach(() => world.close());
    const given = () => ({
      repository,
      model: 'm',
      trigger: 'label' as const,
      platform: 'github' as const,
      llmPreset: 'lmstudio' as const,
      baseUrl: world.gitHub.url,
      llmBaseUrl: world.model.baseUrl,
    });
    const created = () => world.gitHub.requests.filter(({ method }) => method === 'POST').length;

    it('creates the labels with --create-labels, and does not name that step again', async () => {
      const environment = { GITHUB_TOKEN: token };
      const { code, output } = await init({ ...given(), createLabels: true, yes: true }, { environment });
      expect(output).toContain(`✓ ${repository}: created coding agent, coding agent processing, `);
      expect(output).toMatch(/Next:\n {2}1\. .*\n {2}2\. agent-daemon doctor\n {2}3\. agent-daemon run$/);
      expect(code).toBe(0);
    });

    it('says why labels could not be created, and names the command that does it later', async () => {
      const { code, output } = await init({ ...given(), createLabels: true, yes: true });
      expect(output).toContain('GITHUB_TOKEN is not set');
      expect(output).toContain('  2. agent-daemon labels\n  3. agent-daemon doctor\n');
      expect(code).toBe(1);
    });

    it.each([
      ['', true],
      ['y', true],
      ['no', false],
    ])('offers to create them if the token is known, and heeds the answer "%s"', async (answer, isDone) => {
      await writeFile(join(directory(), '.env'), `GITHUB_TOKEN=${token}\n`);
      const { prompt, asked } = answering([answer]);
      const { code, output } = await init(given(), { prompt });
      expect(code).toBe(0);
      expect(asked).toEqual([expect.stringContaining('Create the labels')]);
      expect(created() > 0).toBe(isDone);
      expect(output.includes('agent-daemon labels')).toBe(!isDone);
    });

    it('does not offer them without a token, or if no labels are needed', async () => {
      const { prompt, asked } = answering([]);
      expect(await init(given(), { prompt })).toMatchObject({ code: 0 });
      const environment = { GITHUB_TOKEN: token };
      const mention = { ...given(), trigger: 'mention' as const, force: true };
      const { output } = await init(mention, { prompt, environment });
      expect(output).not.toContain('agent-daemon labels');
      expect(asked).toEqual([]);
    });
  });
});
