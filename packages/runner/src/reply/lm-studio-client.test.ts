import { type LmStudio, startLmStudio } from '@agent/simulators/lm-studio';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createManualSleep } from '../../test/manual-sleep.ts';
import { fromLmStudio, LmStudioClient } from './lm-studio-client.ts';
import { ModelError } from './model-error.ts';

let lmStudio: LmStudio;
beforeEach(async () => {
  lmStudio = await startLmStudio({ script: () => 'one two', models: ['text-embedding-nomic', 'chat-model'] });
});
afterEach(() => lmStudio.close());

function create(options: ConstructorParameters<typeof LmStudioClient>[0] = {}): LmStudioClient {
  return new LmStudioClient({ baseUrl: lmStudio.baseUrl, ...options });
}

async function errorOf(promise: Promise<unknown>): Promise<ModelError> {
  const error = await promise.then(
    () => new Error('It was answered.'),
    (reason: unknown) => reason,
  );
  if (!ModelError.isInstance(error)) throw error;
  return error;
}

describe('LmStudioClient', () => {
  it('posts the transcript, whole and with nothing that rests on what the server remembers [TC-29, TC-53, TC-2]', async () => {
    const client = create({ model: 'chat-model', apiKey: 'lm-key' });
    const response = await client.createResponse('user: alice: hello');

    expect(client.extractOutputText(response)).toBe('one two');
    const [request] = lmStudio.requests;
    expect(request).toMatchObject({ method: 'POST', path: '/v1/responses' });
    expect(request?.body).toEqual({ model: 'chat-model', input: 'user: alice: hello', store: false });
    expect(request?.headers.authorization).toBe('Bearer lm-key');
  });

  it('names the first model that can talk when none was chosen, or none at all [TC-32, TC-33, D17]', async () => {
    await create().createResponse('hi');
    lmStudio.reload(['text-embedding-nomic']);
    await create().createResponse('hi');

    const bodies = lmStudio.requests.filter(({ method }) => method === 'POST').map(({ body }) => body);
    expect(bodies).toEqual([
      { model: 'chat-model', input: 'hi', store: false },
      { input: 'hi', store: false },
    ]);
    expect(lmStudio.requests.every(({ headers }) => headers.authorization === undefined)).toBe(true);
  });

  it.each(['no-annotations', 'reasoning-first'] as const)('reads an answer with %s [TC-53]', async (kind) => {
    lmStudio.misbehave({ kind }, { times: 2 });
    const client = create({ model: 'chat-model' });
    expect(client.extractOutputText(await client.createResponse('hi'))).toBe('one two');
    expect(client.extractOutputText(await client.createResponse('hi', { onText: () => {} }))).toBe('one two');
  });

  it('tells an answer that was cut off from one that is whole [TC-42]', async () => {
    const model = fromLmStudio(create({ model: 'chat-model' }));
    const ask = (onText: (() => void) | null) =>
      model.reply({ messages: [], transcript: 'hi' }, { signal: new AbortController().signal, onText });
    lmStudio.misbehave({ kind: 'incomplete', reason: 'max_output_tokens' }, { times: 2 });
    expect(await ask(null)).toEqual({ text: 'one', complete: false });
    expect(await ask(() => {})).toEqual({ text: 'one', complete: false });
    expect(await ask(null)).toEqual({ text: 'one two', complete: true });
  });

  it('takes no role for a part of the answer, which a model may copy from the transcript [TC-53, TC-37]', async () => {
    lmStudio.setScript(() => 'assistant: one two');
    const heard: string[] = [];
    const ask = (onText: ((text: string) => void) | null) =>
      fromLmStudio(create({ model: 'chat-model' })).reply(
        { messages: [], transcript: 'user: alice: hi' },
        { signal: new AbortController().signal, onText },
      );
    expect((await ask((text) => heard.push(text))).text).toBe('one two');
    expect(heard.filter((text) => text !== '')).toEqual(['one', 'one two']);
    lmStudio.setScript(() => 'assistant');
    expect((await ask(null)).text).toBe('assistant');
    lmStudio.setScript(() => 'one two\nuser: alice: thanks\nassistant: three');
    expect((await ask(null)).text).toBe('one two');
    heard.length = 0;
    await ask((text) => heard.push(text));
    expect(heard.filter((text) => !'one two'.startsWith(text.trimEnd()))).toEqual([]);
  });

  it('hears a streamed answer grow [TC-29]', async () => {
    const heard: string[] = [];
    await create({ model: 'chat-model' }).createResponse('hi', { onText: (text) => heard.push(text) });
    expect(heard).toEqual(['one', 'one two']);
    expect(lmStudio.requests[0]?.body).toMatchObject({ stream: true });
  });

  it('says what failed without quoting anybody, and asks once [TC-42, TC-43, TC-46, D15]', async () => {
    const client = create({ model: 'chat-model' });
    const ask = (): Promise<ModelError> => errorOf(client.createResponse('private words'));
    lmStudio.misbehave({ kind: 'status', status: 400, message: 'cannot read "private words"' });
    expect(await ask()).toMatchObject({
      code: 'model-status',
      status: 400,
      message: 'the model server answered with 400 (invalid_request_error)',
    });
    lmStudio.misbehave({ kind: 'failed', message: 'private words' });
    expect((await ask()).message).toBe('the model reports that it failed (server_error)');
    lmStudio.misbehave({ kind: 'not-json' });
    expect((await ask()).message).toBe('the answer of the model is not JSON');
    lmStudio.misbehave({ kind: 'wrong-shape' });
    expect(await ask()).toMatchObject({ code: 'model-unreadable' });
    expect(lmStudio.inputs()).toHaveLength(4);
  });

  it('sends requests without a field that the server refuses, and begins without it from then on', async () => {
    const refusal = { kind: 'status', status: 400, message: "property 'store' is unsupported" } as const;
    lmStudio.misbehave(refusal);
    const client = create({ model: 'strict-model' });
    expect(client.extractOutputText(await client.createResponse('hi'))).toBe('one two');
    await create({ model: 'strict-model' }).createResponse('hello', { onText: () => {} });
    const bodies = lmStudio.requests.map(({ body }) => body);
    expect(bodies).toEqual([
      { model: 'strict-model', input: 'hi', store: false },
      { model: 'strict-model', input: 'hi' },
      { model: 'strict-model', input: 'hello', stream: true },
    ]);
  });

  it('sends the newest part of a transcript that is longer than the window, and less after a refusal', async () => {
    const transcript = `${'user: alice: The total is wrong again.\n'.repeat(1_000)}user: bob: and me?`;
    const inputs = () => lmStudio.requests.map(({ body }) => String(Object(body).input));
    await create({ model: 'm', contextLength: 2_000 }).createResponse(transcript);
    expect(inputs()[0]).toMatch(/^\(\d+ characters before this are left out\.\)\nuser: alice/);
    expect(inputs()[0]).toMatch(/\nuser: bob: and me\?$/);
    expect(inputs()[0]?.length).toBeLessThan(8_000);
    const client = create({ model: 'm' });
    lmStudio.misbehave({ kind: 'status', status: 400, message: 'prompt is too long' });
    expect((await errorOf(client.createResponse(transcript))).code).toBe('model-too-long');
    await client.createResponse(transcript);
    expect(inputs()[1]).toBe(transcript);
    expect(inputs()[2]?.length).toBeLessThan(transcript.length * 0.9);
    expect(inputs()[2]).toMatch(/\nuser: bob: and me\?$/);
  });

  it('is stopped by its caller with the caller’s reason [TC-45]', async () => {
    lmStudio.misbehave({ kind: 'hang', at: 'headers' });
    const controller = new AbortController();
    const asked = create({ model: 'chat-model' }).createResponse('hi', { signal: controller.signal });
    await lmStudio.until(() => lmStudio.inputs().length === 1);
    controller.abort(new Error('enough'));
    await expect(asked).rejects.toThrow('enough');
  });

  it('counts the time of the whole exchange, the list of models included [TC-45, D14]', async () => {
    const time = createManualSleep();
    lmStudio.misbehave({ kind: 'hang', at: 'body' });
    const asked = errorOf(create({ sleep: time.sleep, timeoutMs: 5_000 }).createResponse('hi'));
    await lmStudio.until(() => lmStudio.inputs().length === 1);
    time.advance(5_000);
    expect(await asked).toMatchObject({ code: 'model-timeout' });
    expect(time.waiting()).toEqual([]);
  });

  it('follows no redirect with the conversation [TC-42]', async () => {
    const seen: string[] = [];
    const fetch = async (url: string | URL | Request): Promise<Response> => {
      seen.push(String(url));
      return new Response(null, { status: 307, headers: { location: 'http://elsewhere.invalid' } });
    };
    const error = await errorOf(create({ model: 'm', fetch }).createResponse('hi'));
    expect(error).toMatchObject({ code: 'model-status', status: 307 });
    expect(seen).toEqual([`${lmStudio.baseUrl}/responses`]);
  });
});
