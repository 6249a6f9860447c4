import { APICallError } from 'ai';
import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import { createManualSleep } from '../../test/manual-sleep.ts';
import { fromLanguageModel } from './reply-model.ts';

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const request = {
  messages: [
    { role: 'user', content: 'alice: hello' },
    { role: 'assistant', content: 'hi' },
    { role: 'user', content: 'bob: and me?' },
  ],
  transcript: 'user: alice: hello\nassistant: hi\nuser: bob: and me?',
} as const;
const whole = { signal: new AbortController().signal, onText: null };

function finish(unified: 'stop' | 'length') {
  return { unified, raw: undefined };
}

describe('fromLanguageModel', () => {
  it('gives the messages and the text back [TC-53]', async () => {
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
    await fromLanguageModel(model).reply({ ...request, messages: request.messages.slice(1) }, whole);
    expect(model.doGenerateCalls[0]?.prompt).toMatchObject([
      { role: 'user', content: [{ type: 'text', text: 'bob: and me?' }] },
    ]);
  });

  it('fits the conversation to the window of the model, which a refusal makes smaller', async () => {
    const answer = { content: [{ type: 'text' as const, text: 'ok' }], warnings: [], usage };
    const model = new MockLanguageModelV4({
      doGenerate: async ({ prompt }) => {
        if (JSON.stringify(prompt).length > 8_000)
          throw new APICallError({
            message: 'prompt is too long: 9000 tokens > 2000 maximum',
            ...{ url: 'http://x', requestBodyValues: {}, statusCode: 400 },
          });
        return { ...answer, finishReason: finish('stop') };
      },
    });
    const said = 'alice: I have a question about the total. ';
    const messages = Array.from({ length: 200 }, (_, index) => ({
      role: 'user' as const,
      content: `${index} ${said.repeat(20)}`,
    }));
    const small = fromLanguageModel(model, { contextLength: 2_000 });
    expect(await small.reply({ ...request, messages }, whole)).toMatchObject({ text: 'ok' });
    expect(JSON.stringify(model.doGenerateCalls[0]?.prompt)).toContain('"199 alice');
    const unknown = fromLanguageModel(model);
    await expect(unknown.reply({ ...request, messages }, whole)).rejects.toMatchObject({
      code: 'model-too-long',
    });
    expect(await unknown.reply({ ...request, messages }, whole)).toMatchObject({ text: 'ok' });
    const long = { role: 'user' as const, content: said.repeat(2_000) };
    expect(await small.reply({ ...request, messages: [long] }, whole)).toMatchObject({ text: 'ok' });
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
    expect(heard).toEqual(['one', 'one two']);
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
    const time = createManualSleep();
    const model = new MockLanguageModelV4({ doGenerate: () => new Promise(() => {}) });
    const asked = fromLanguageModel(model, { sleep: time.sleep, timeoutMs: 30_000 }).reply(request, whole);
    await time.untilWaiting(30_000);
    time.advance(30_000);
    await expect(asked).rejects.toMatchObject({ code: 'model-timeout' });
  });

  it.each(['<think>\nrude\n</think>\n\nHello!', 'rude\n</think>\nHello!', '[THINK]rude[/THINK]Hello!'])(
    'replies without the reasoning that the model wrote, and shows none of it: %s',
    async (said) => {
      const chunks = Array.from(said, (delta) => ({ type: 'text-delta' as const, id: '1', delta }));
      const model = fromLanguageModel(
        new MockLanguageModelV4({
          doStream: async () => ({
            stream: convertArrayToReadableStream([
              { type: 'text-start', id: '1' },
              ...chunks,
              { type: 'text-end', id: '1' },
              { type: 'finish', finishReason: finish('stop'), usage },
            ]),
          }),
        }),
      );
      const first = await model.reply(request, { ...whole, onText: () => {} });
      expect(first).toEqual({ text: 'Hello!', complete: true });
      // What starts inside of reasoning is known from the second reply on.
      const shown: string[] = [];
      await model.reply(request, { ...whole, onText: (text) => shown.push(text) });
      expect(shown.filter((text) => !'Hello!'.startsWith(text))).toEqual([]);
      expect(shown).toContain('Hello');
    },
  );
});
