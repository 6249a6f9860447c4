import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LmMisbehavior, type LmStudio, startLmStudio } from './index.ts';
import type { LmResponse } from './make-response.ts';

describe('the stand-in for LM Studio', () => {
  let server: LmStudio;

  beforeEach(async () => {
    server = await startLmStudio({ script: (input) => `You said: ${input}` });
  });
  afterEach(() => server.close());

  const post = (body: object, options: RequestInit = {}) =>
    fetch(`${server.baseUrl}/responses`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer lm-studio' },
      body: JSON.stringify(body),
      ...options,
    });
  const ask = async (body: object) => (await (await post(body)).json()) as LmResponse;

  it('answers from the whole input, and keeps what it was asked', async () => {
    const response = await ask({ model: 'simulated-model', input: 'user: a\nassistant: b\nuser: c' });
    expect(response).toMatchObject({
      object: 'response',
      status: 'completed',
      model: 'simulated-model',
      output: [
        {
          type: 'message',
          role: 'assistant',
          content: [
            { type: 'output_text', text: 'You said: user: a\nassistant: b\nuser: c', annotations: [] },
          ],
        },
      ],
    });
    expect(server.requests).toMatchObject([
      {
        method: 'POST',
        path: '/v1/responses',
        headers: { authorization: 'Bearer lm-studio' },
        body: { model: 'simulated-model' },
        input: 'user: a\nassistant: b\nuser: c',
        state: 'answered',
      },
    ]);
  });

  it('reads messages as well as a text', async () => {
    await ask({
      instructions: 'Be brief.',
      input: [
        { role: 'user', content: 'one' },
        { role: 'user', content: [{ type: 'input_text', text: 'two' }] },
      ],
    });
    expect(server.inputs()).toEqual(['Be brief.\none\ntwo']);
  });

  it('remembers responses until it is reloaded, and numbers them on', async () => {
    const { id } = await ask({ input: 'a' });
    expect(await ask({ input: 'b', previous_response_id: id })).toMatchObject({ previous_response_id: id });
    server.reload(['other-model']);
    const refused = await post({ input: 'c', previous_response_id: id });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ error: { code: 'previous_response_not_found' } });
    expect(await ask({ input: 'c' })).toMatchObject({ id: 'resp_3', model: 'other-model' });
  });

  it('lists its models, and answers nothing without one', async () => {
    expect(await (await fetch(`${server.baseUrl}/models`)).json()).toMatchObject({
      data: [{ id: 'simulated-model', object: 'model' }],
    });
    server.reload([]);
    expect((await post({ input: 'a' })).status).toBe(404);
  });

  it('asks for its key when it has one', async () => {
    const locked = await startLmStudio({ apiKey: 'secret' });
    const answers = await Promise.all(
      ['Bearer wrong', 'Bearer secret'].map((authorization) =>
        fetch(`${locked.baseUrl}/models`, { headers: { authorization } }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([401, 200]);
    await locked.close();
  });

  it('streams the same response word by word', async () => {
    const text = 'one  two\nthree\n';
    server.setScript(() => text);
    const answer = await post({ input: 'a', stream: true });
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    const events = (await answer.text())
      .split('\n\n')
      .filter((event) => event !== '')
      .map((event) => JSON.parse(event.split('\ndata: ')[1] ?? ''));
    expect([...new Set(events.map(({ type }) => type))]).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ]);
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual([...events.keys()]);
    const deltas = events.filter(({ type }) => type === 'response.output_text.delta');
    expect(deltas.length).toBeGreaterThan(2);
    expect(deltas.map(({ delta }) => delta).join('')).toBe(text);
    expect(events.at(-1).response).toMatchObject({ status: 'completed', output: [{ content: [{ text }] }] });
  });

  it('waits before each word of a stream as it is told', async () => {
    const paced: number[] = [];
    const slow = await startLmStudio({ script: () => 'a b c', pace: (number) => void paced.push(number) });
    await (
      await fetch(`${slow.baseUrl}/responses`, { method: 'POST', body: '{"input":"a","stream":true}' })
    ).text();
    expect(paced).toEqual([0, 1, 2]);
    await slow.close();
  });

  it.each<[LmMisbehavior, object]>([
    [{ kind: 'reasoning-first' }, { output: [{ type: 'reasoning' }, { type: 'message' }] }],
    [{ kind: 'no-output' }, { status: 'completed', output: [] }],
    [{ kind: 'empty-text' }, { output: [{ content: [{ text: '' }] }] }],
    [
      { kind: 'failed', message: 'out of memory' },
      { status: 'failed', error: { message: 'out of memory' }, output: [] },
    ],
    [
      { kind: 'incomplete', reason: 'max_output_tokens' },
      {
        status: 'incomplete',
        incomplete_details: { reason: 'max_output_tokens' },
        output: [{ content: [{ text: 'You s' }] }],
      },
    ],
    [{ kind: 'wrong-shape' }, { nope: 1 }],
  ])('answers once as asked: $kind', async (misbehavior, expected) => {
    server.misbehave(misbehavior);
    expect(await ask({ input: '' })).toMatchObject(expected);
    expect(await ask({ input: 'again' })).toMatchObject({
      output: [{ content: [{ text: 'You said: again' }] }],
    });
  });

  it('leaves annotations out', async () => {
    server.misbehave({ kind: 'no-annotations' });
    const { output } = await ask({ input: 'a' });
    expect(output[0]?.content[0]).toEqual({ type: 'output_text', text: 'You said: a' });
  });

  it('fails, until it is told to behave', async () => {
    server.misbehave({ kind: 'status', status: 500 }, { times: Infinity });
    expect((await post({ input: 'a' })).status).toBe(500);
    expect((await post({ input: 'a' })).status).toBe(500);
    server.behave();
    expect((await post({ input: 'a' })).status).toBe(200);
    server.misbehave({ kind: 'not-json' });
    await expect(ask({ input: 'a' })).rejects.toThrow(SyntaxError);
  });

  it.each([
    ['unloaded', 'Model unloaded.'],
    ['crashed', 'The model has crashed without additional information. (Exit code: 6)'],
  ] as const)('refuses once while its model is %s, and loads it again', async (kind, error) => {
    server.misbehave({ kind });
    const answer = await post({ input: 'a' });
    expect([answer.status, await answer.json()]).toEqual([400, { error }]);
    expect(await ask({ input: 'a' })).toMatchObject({ status: 'completed' });
  });

  it.each(['headers', 'body'] as const)('hangs in the %s, until the caller gives up', async (at) => {
    server.misbehave({ kind: 'hang', at });
    const caller = new AbortController();
    const answer = post({ input: 'a' }, { signal: caller.signal }).then((response) => response.json());
    const given = expect(answer).rejects.toThrow('given up');
    await server.until(() => server.requests.length === 1);
    caller.abort(new Error('given up'));
    await given;
    await server.until(() => server.requests[0]?.state === 'abandoned');
  });

  it.each(['headers', 'body'] as const)('breaks the connection in the %s', async (at) => {
    server.misbehave({ kind: 'reset', at });
    await expect(ask({ input: 'a' })).rejects.toThrow();
  });

  it('answers late', async () => {
    const held = server.holdNext();
    let isAnswered = false;
    const answer = ask({ input: 'a' }).then((response) => {
      isAnswered = true;
      return response;
    });
    await held.arrived;
    await ask({ input: 'another is not held' });
    expect(isAnswered).toBe(false);
    held.release();
    expect(await answer).toMatchObject({ status: 'completed' });
  });
});
