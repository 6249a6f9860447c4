import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from '../../../test/support/command.ts';
import { answering, serverless, useInitBed } from '../../../test/support/init-bed.ts';
import { loadConfig } from '../../config/load-config.ts';
import type { Prompt } from '../../init/ask-answers.ts';
import { initCommand } from './init.ts';

const { init, configFile, directory: directoryOf } = useInitBed();
let directory: string;
beforeEach(() => {
  directory = directoryOf();
});

describe('init', () => {
  const variants = (['github', 'gitlab'] as const).flatMap((platform) =>
    (['openai', 'lmstudio', 'ollama'] as const).flatMap((llmPreset) =>
      ['en_US.UTF-8', 'ja_JP.UTF-8'].map((LANG) => ({ platform, llmPreset, LANG })),
    ),
  );

  it.each(variants)('writes a commented configuration that loads: %o', async ({ LANG, ...flags }) => {
    const given = { ...flags, repository: 'acme/shop, acme/web', model: 'm: #1', yes: true };
    const { code, output } = await init(given, { environment: { LANG } });
    expect(code).toBe(0);
    expect(output).toContain('agent-daemon doctor');
    const { config } = await loadConfig(configFile(), {});
    const { github, gitlab } = config.platforms;
    expect(github?.repositories ?? gitlab?.projects).toEqual(['acme/shop', 'acme/web']);
    expect(config.llm).toMatchObject({ preset: flags.llmPreset, model: 'm: #1' });
  });

  it.each([
    [16_384, 16_384],
    [32_768, null],
    [4_096, null],
    [-1, null],
  ])('writes the context that the server reports, if the model can work in it: %i', async (reported, set) => {
    const list = { data: [{ id: 'm', max_model_len: reported }] };
    const fetch: typeof globalThis.fetch = async (url) =>
      String(url).endsWith('/v1/models') ? Response.json(list) : new Response('', { status: 404 });
    const given = { repository: 'acme/shop', model: 'm', llmBaseUrl: 'http://gpu:8000/v1', yes: true };
    expect(await init(given, { fetch })).toMatchObject({ code: 0 });
    expect((await loadConfig(configFile(), {})).config.llm.context_length).toBe(set);
  });

  it.each(['en_US.UTF-8', 'ja_JP.UTF-8'])(
    'writes the manifest of an App, and says the two steps of a person: %s [NX-210]',
    async (LANG) => {
      const given = { app: 'Acme "Agent" & <co>', repository: 'acme/shop', model: 'm', yes: true };
      const { code, output } = await init(given, { environment: { LANG } });
      expect(code).toBe(0);
      expect(output).toContain('github-app.html');
      expect(output).toMatch(/1\. .*APP_ID.*\n {2}2\. .*Install App/);
      expect(output).not.toContain('GITHUB_TOKEN');
      const page = await readFile(join(directory, 'github-app.html'), 'utf8');
      const actions = [...page.matchAll(/action="([^"]+)"/g)].map(([, action]) => action);
      expect(actions).toEqual([
        'https://github.com/settings/apps/new',
        'https://github.com/organizations/acme/settings/apps/new',
      ]);
      const [, value = ''] = /name="manifest" value="([^"]+)"/.exec(page) ?? [];
      const read = value.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>');
      expect(JSON.parse(read.replaceAll('&amp;', '&'))).toMatchObject({
        name: 'Acme "Agent" & <co>',
        public: false,
        default_permissions: { contents: 'write', issues: 'write', pull_requests: 'write', metadata: 'read' },
      });
      const unfinished = loadConfig(configFile(), {});
      await expect(unfinished).rejects.toThrow(/app\.app_id: must be the App ID \(a number\)/);
      const text = await readFile(configFile(), 'utf8');
      await writeFile(configFile(), text.replace('app_id: APP_ID', 'app_id: 12345'));
      const { config } = await loadConfig(configFile(), {});
      expect(config.platforms.github?.app).toMatchObject({
        app_id: 12345,
        private_key_file: 'github-app.pem',
      });
      const elsewhere = init({ ...given, platform: 'gitlab', force: true });
      await expect(elsewhere).resolves.toMatchObject({ code: 1 });
    },
  );

  it.each([
    ['en_US.UTF-8', 'You are root', 'install the package bubblewrap'],
    ['ja_JP.UTF-8', 'root なので', 'パッケージ bubblewrap をインストール'],
  ])(
    'says what keeps commands from running here, and weakens nothing: %s [NX-411]',
    async (LANG, ...said) => {
      const bare = { environment: { LANG, PATH: directory }, userId: 0 };
      const { code, output } = await init({ repository: 'acme/shop', model: 'm', yes: true }, bare);
      expect(code).toBe(0);
      const text = await readFile(configFile(), 'utf8');
      for (const words of said) {
        expect(output).toContain(words);
        expect(text).toMatch(new RegExp(`^    # .*${words}`, 'm'));
      }
      const rights = async () => (await loadConfig(configFile(), {})).config.tools.run_command;
      expect(await rights()).toMatchObject({ sandbox: 'required', allow_root: false });
      await writeFile(configFile(), text.replace('# allow_root: true', 'allow_root: true'));
      expect(await rights()).toMatchObject({ sandbox: 'required', allow_root: true });
    },
  );

  it('keeps every commented key a known one', async () => {
    await init({ repository: 'acme/shop', model: 'm', yes: true });
    const text = await readFile(configFile(), 'utf8');
    const active = text.replaceAll(/^(\s*)# ((?:[a-z_]+: .*| {2}port: 9464|http:))$/gm, '$1$2');
    expect(active).toContain('\nhttp:\n');
    await writeFile(configFile(), active);
    const { config } = await loadConfig(configFile(), {});
    expect(config.http.port).toBe(9464);
    expect(config.planning).toMatchObject({ enabled: false });
    expect(config.context_inheritance.enabled).toBe(false);
  });

  it('names secrets without values, and never asks for one', async () => {
    const { prompt, asked } = answering(['', 'acme/shop', '', '', 'openai', 'gpt', '']);
    expect(await init({}, { prompt })).toMatchObject({ code: 0 });
    expect(await readFile(join(directory, '.env.example'), 'utf8')).toMatch(
      /^GITHUB_TOKEN=\nOPENAI_API_KEY=\n$/m,
    );
    expect(asked.join('\n')).not.toMatch(/token|key|password/i);
  });

  it('takes no preset, and so no key of another endpoint, for one of which it knows the address [NX-7]', async () => {
    const given = { llmBaseUrl: 'http://127.0.0.1:8080/v1', repository: 'acme/shop', model: 'm' };
    const { prompt, asked } = answering(['', '', '']);
    for (const beyond of [{ prompt }, { prompt: null }]) {
      expect(await init({ ...given, force: true }, beyond)).toMatchObject({ code: 0 });
      const { config } = await loadConfig(configFile(), {});
      expect(config.llm).toMatchObject({ preset: null, api_key_env: null, base_url: given.llmBaseUrl });
      expect(await readFile(join(directory, '.env.example'), 'utf8')).not.toContain('OPENAI_API_KEY');
    }
    expect(asked).toHaveLength(3);
  });

  it('asks again after an answer that is none, and only for what is not given', async () => {
    const { prompt, asked } = answering([
      '',
      'acme',
      ',',
      'https://github.com/acme/shop',
      'acme/shop',
      'mention',
      'https://ghe.example/api/v3',
      'gemini',
      'ollama',
      '',
    ]);
    const { code, output } = await init({ platform: 'github', model: 'qwen3' }, { prompt });
    expect(code).toBe(0);
    expect(asked).toHaveLength(10);
    expect(output).toContain('"acme" must look like owner/repo');
    expect(output).toContain('An answer is required.');
    expect(output).toContain('Answer one of lmstudio, ollama, openai.');
    const { config } = await loadConfig(configFile(), {});
    expect(config.platforms.github).toMatchObject({
      base_url: 'https://ghe.example/api/v3',
      trigger: 'mention',
    });
  });

  it('writes nothing when the questions are left with Ctrl-C', async () => {
    const prompt: Prompt = async () => {
      throw new DOMException('The operation was aborted', 'AbortError');
    };
    expect(await init({}, { prompt })).toMatchObject({
      code: 1,
      errors: 'agent-daemon: Nothing was written.',
    });
    await expect(readFile(configFile())).rejects.toThrow('ENOENT');
  });

  it('overwrites nothing without --force', async () => {
    await writeFile(configFile(), 'mine');
    const given = { repository: 'acme/shop', model: 'm', yes: true };
    const refused = await init(given);
    expect(refused).toMatchObject({ code: 1, errors: expect.stringContaining('--force') });
    expect(await readFile(configFile(), 'utf8')).toBe('mine');
    expect(await init({ ...given, force: true })).toMatchObject({ code: 0 });
    expect(await readFile(configFile(), 'utf8')).not.toBe('mine');
  });

  it('does not say of a place where no file can be that one is there', async () => {
    await writeFile(configFile(), '');
    const below = join(configFile(), 'agent.config.yaml');
    const { code, errors } = await runCommand((io) =>
      initCommand(
        { config: below, repository: 'acme/shop', model: 'm' },
        { prompt: null, fetch: serverless, io },
      ),
    );
    expect(code).toBe(1);
    expect(errors).toContain('ENOTDIR');
  });

  it('writes nothing when something is missing or wrong, and says what', async () => {
    expect((await init({ yes: true })).errors).toContain('--repository, --model');
    expect((await init({ yes: true, repository: ' , ', model: '' })).errors).toContain(
      '--repository, --model',
    );
    const wrong = await init({ repository: 'https://github.com/acme/shop', model: 'm' });
    expect(wrong.errors).toContain('must look like owner/repository');
    await expect(readFile(configFile())).rejects.toThrow('ENOENT');
  });
});
