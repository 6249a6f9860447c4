import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLmStudio } from '@agent/simulators/lm-studio';
import { APICallError } from 'ai';
import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFakeClock } from '../../test/bot/fake-clock.ts';
import { parseSettings } from '../settings/parse-settings.ts';
import { createModel, fromLanguageModel } from './create-model.ts';
import type { Reply } from './reply-model.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'agent-discord-model-'));
});
afterAll(() => rm(directory, { recursive: true }));

async function answerWith(environment: Readonly<Record<string, string>>): Promise<Reply> {
  const texts = { wrongSettings: 'wrong', tokenMissing: 'missing' };
  const model = await createModel(parseSettings({ DISCORD_TOKEN: 'x', ...environment }, texts));
  const turns = [{ role: 'user', text: 'alice: hi' }] as const;
  const { signal } = new AbortController();
  return model.reply({ turns, transcript: 'user: alice: hi' }, { signal, onText: null });
}

async function writeModule(name: string, text: string): Promise<string> {
  const path = join(directory, name);
  await writeFile(path, text);
  return path;
}

describe('createModel', () => {
  it('asks LM Studio as the settings say [TC-29, TC-31, TC-32, TC-33]', async () => {
    const lmStudio = await startLmStudio({ script: () => 'from LM Studio', apiKey: 'lm-key' });
    const environment = { LM_BASE_URL: `${lmStudio.baseUrl}/`, LM_MODEL: 'qwen', LM_API_KEY: 'lm-key' };
    expect(await answerWith(environment)).toEqual({ text: 'from LM Studio', complete: true });
    expect(lmStudio.requests.map(({ path, body }) => ({ path, body }))).toEqual([
      { path: '/v1/responses', body: { model: 'qwen', input: 'user: alice: hi', store: false } },
    ]);
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
      message: expect.stringContaining('its default export must be a model'),
    });
    await expect(answerWith({ MODEL_MODULE: join(directory, 'none.mjs') })).rejects.toMatchObject({
      code: 'settings',
      message: expect.stringContaining('cannot be loaded'),
    });
  });
});

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const request = {
  turns: [
    { role: 'user', text: 'alice: hello' },
    { role: 'assistant', text: 'hi' },
    { role: 'user', text: 'bob: and me?' },
  ],
  transcript: 'user: alice: hello\nassistant: hi\nuser: bob: and me?',
} as const;
const whole = { signal: new AbortController().signal, onText: null };

function finish(unified: 'stop' | 'length') {
  return { unified, raw: undefined };
}

describe('fromLanguageModel', () => {
  it('gives the turns as messages and the text back [TC-53]', async () => {
    const model = new MockLanguageModelV4({
      doGenerate: {
        content: [{ type: 'text', text: 'hello bob' }],
        finishReason: finish('stop'),
        usage,
        warnings: [],
      },
    });
    expect(await fromLanguageModel(model).reply(request, whole)).toEqual({
      text: 'hello bob',
      complete: true,
    });
    expect(model.doGenerateCalls[0]?.prompt).toMatchObject([
      { role: 'user', content: [{ type: 'text', text: 'alice: hello' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'hi' }] },
      { role: 'user', content: [{ type: 'text', text: 'bob: and me?' }] },
    ]);
    expect(model.doGenerateCalls[0]?.providerOptions).toEqual({ openai: { store: false } });
  });

  it('carries instructions, temperature and length [NX-66]', async () => {
    const model = new MockLanguageModelV4({
      doGenerate: {
        content: [{ type: 'text', text: 'ok' }],
        finishReason: finish('stop'),
        usage,
        warnings: [],
      },
    });
    const shape = { instructions: 'Be brief.', temperature: 0.2, maxTokens: 300 };
    await fromLanguageModel(model, { shape }).reply(request, whole);
    expect(model.doGenerateCalls[0]).toMatchObject({ temperature: 0.2, maxOutputTokens: 300 });
    expect(model.doGenerateCalls[0]?.prompt[0]).toMatchObject({ role: 'system', content: 'Be brief.' });
  });

  it('begins with what a person said, though history may begin with an answer where it was cut [TC-A4, TC-53]', async () => {
    const model = new MockLanguageModelV4({
      doGenerate: {
        content: [{ type: 'text', text: 'you too' }],
        finishReason: finish('stop'),
        usage,
        warnings: [],
      },
    });
    await fromLanguageModel(model).reply({ ...request, turns: request.turns.slice(1) }, whole);
    expect(model.doGenerateCalls[0]?.prompt).toMatchObject([
      { role: 'user', content: [{ type: 'text', text: 'bob: and me?' }] },
    ]);
  });

  it('lets a stream be heard, and tells when it was cut off [TC-53]', async () => {
    const heard: string[] = [];
    const model = new MockLanguageModelV4({
      doStream: {
        stream: convertArrayToReadableStream([
          { type: 'stream-start', warnings: [] },
          { type: 'text-start', id: '1' },
          { type: 'text-delta', id: '1', delta: 'one ' },
          { type: 'text-delta', id: '1', delta: 'two' },
          { type: 'text-end', id: '1' },
          { type: 'finish', finishReason: finish('length'), usage },
        ]),
      },
    });
    const onText = (text: string): void => void heard.push(text);
    expect(await fromLanguageModel(model).reply(request, { ...whole, onText })).toEqual({
      text: 'one two',
      complete: false,
    });
    expect(heard).toEqual(['one ', 'one two']);
  });

  it.each([
    ['model-status', { statusCode: 503 }],
    ['model-unreachable', { cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }) }],
  ] as const)('tells %s, asks once and quotes nothing [TC-42, TC-43]', async (code, details) => {
    const model = new MockLanguageModelV4({
      doGenerate: async () => {
        throw new APICallError({
          message: 'alice: hello',
          url: 'http://x',
          requestBodyValues: {},
          ...details,
        });
      },
    });
    const failed = fromLanguageModel(model).reply(request, whole);
    await expect(failed).rejects.toMatchObject({ code, message: expect.not.stringContaining('alice') });
    expect(model.doGenerateCalls).toHaveLength(1);
  });

  it('gives up in time, even on a model that does not listen [TC-45]', async () => {
    const clock = createFakeClock();
    const model = new MockLanguageModelV4({ doGenerate: () => new Promise(() => {}) });
    const asked = fromLanguageModel(model, { clock, timeoutMs: 30_000 }).reply(request, whole);
    await clock.untilWaiting(30_000);
    clock.advance(30_000);
    await expect(asked).rejects.toMatchObject({ code: 'model-timeout' });
  });
});
