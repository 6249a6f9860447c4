import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Reply } from '@agent/runner/reply';
import { startLmStudio } from '@agent/simulators/lm-studio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createModel } from './create-model.ts';
import { parseSettings } from './settings/parse-settings.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'agent-discord-model-'));
});
afterAll(() => rm(directory, { recursive: true }));

async function answerWith(environment: Readonly<Record<string, string>>): Promise<Reply> {
  const texts = { wrongSettings: 'wrong', tokenMissing: 'missing' };
  const model = await createModel(parseSettings({ DISCORD_TOKEN: 'x', ...environment }, texts));
  const messages = [{ role: 'user', content: 'alice: hi' }] as const;
  const { signal } = new AbortController();
  return model.reply({ messages, transcript: 'user: alice: hi' }, { signal, onText: null });
}

async function writeModule(name: string, text: string): Promise<string> {
  const path = join(directory, name);
  await writeFile(path, text);
  return path;
}

describe('createModel', () => {
  it('asks LM Studio as the settings say [TC-29, TC-31, TC-32, TC-33]', async () => {
    const lmStudio = await startLmStudio({ script: () => 'from LM Studio', apiKey: 'lm-key' });
    const environment = {
      LM_BASE_URL: `${lmStudio.baseUrl}/`,
      LM_MODEL: 'qwen',
      LM_API_KEY: 'lm-key',
      INSTRUCTIONS: 'none',
    };
    expect(await answerWith(environment)).toEqual({ text: 'from LM Studio', complete: true });
    expect(lmStudio.requests.map(({ path, body }) => ({ path, body }))).toEqual([
      { path: '/v1/responses', body: { model: 'qwen', input: 'user: alice: hi', store: false } },
    ]);
    await lmStudio.close();
  });

  it('explains the roles of a conversation unless the settings have instructions', async () => {
    const lmStudio = await startLmStudio({ script: () => 'ok' });
    const environment = { LM_BASE_URL: lmStudio.baseUrl, LM_MODEL: 'qwen' };
    await answerWith(environment);
    await answerWith({ ...environment, INSTRUCTIONS: 'Be brief.' });
    await answerWith({ ...environment, INSTRUCTIONS: 'none' });
    const sent = lmStudio.requests.map(({ body }) => (body as { instructions?: string }).instructions);
    expect(sent[0]).toContain('Each begins with the name of its author');
    expect(sent.slice(1)).toEqual(['Be brief.', undefined]);
    await lmStudio.close();
  });

  it('takes a model of the AI SDK from a module [TC-53]', async () => {
    const path = await writeModule(
      'good.mjs',
      `export default {
        specificationVersion: 'v4', provider: 'own', modelId: 'own', supportedUrls: {},
        doGenerate: async () => ({
          content: [{ type: 'text', text: 'from the module' }],
          finishReason: { unified: 'stop', raw: undefined },
          usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
          warnings: [],
        }),
      };`,
    );
    expect(await answerWith({ MODEL_MODULE: path })).toEqual({ text: 'from the module', complete: true });
  });

  it('says what is wrong with a module [TC-42]', async () => {
    const path = await writeModule('bad.mjs', 'export default 42;');
    await expect(answerWith({ MODEL_MODULE: path })).rejects.toMatchObject({
      code: 'settings',
      message: expect.stringContaining('its default export must be an AI SDK model'),
    });
    await expect(answerWith({ MODEL_MODULE: join(directory, 'none.mjs') })).rejects.toMatchObject({
      code: 'settings',
      message: expect.stringContaining('cannot be loaded'),
    });
  });
});
