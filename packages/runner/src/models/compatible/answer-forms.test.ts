import { generateText, streamText } from 'ai';
import { describe, expect, it } from 'vitest';
import { connect, head, saying, tools, usage } from '../../../test/compatible-endpoint.ts';
import { classifyModelError } from '../../classify-model-error.ts';

describe('an answer in another form than the one that was requested', () => {
  const event = (data: unknown, name = '') =>
    `${name === '' ? '' : `event: ${name}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
  const chunk = (delta: object, finish_reason: unknown = null) => ({
    ...head,
    choices: [{ index: 0, delta, finish_reason }],
  });
  const pieces = [
    chunk({ role: 'assistant', content: '', reasoning_content: 'H' }),
    chunk({ reasoning_content: 'm.', reasoning_details: [{ text: 'Hm.' }] }),
    chunk({ content: 'Do' }),
    chunk({ content: 'ne.' }),
    chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'read_file', arguments: '' } }] }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: '{"path":' } }] }),
    chunk({ tool_calls: [{ index: 0, id: '', function: { name: null, arguments: '"a.js"}' } }] }),
    chunk({ tool_calls: [{ index: 1, id: 'b', function: { name: 'list_files', arguments: {} } }] }),
    chunk({}, 'tool_calls'),
    { ...head, choices: [], usage },
  ];
  const events = `: PROCESSING\n\n${pieces.map((one) => event(one)).join('')}`;

  async function generate(body: unknown, type = 'text/event-stream') {
    const { model, requests } = await connect(() => ({ type, body }));
    const result = await generateText({ model, tools, prompt: 'Go.', maxRetries: 0 });
    expect(requests[0]?.stream).toBeUndefined();
    return result;
  }

  it.each([
    ['with its type', 'text/event-stream; charset=utf-8'],
    ['under the type of JSON', 'application/json'],
    ['under no type', 'text/plain'],
  ])('is a stream %s: its pieces are one answer', async (_, type) => {
    const {
      text,
      reasoningText,
      toolCalls,
      usage: counted,
      finishReason,
    } = await generate(`${events}${event('[DONE]')}`, type);
    expect([text, reasoningText, finishReason]).toEqual(['Done.', 'Hm.', 'tool-calls']);
    expect(toolCalls.map(({ toolName, input }) => [toolName, input])).toEqual([
      ['read_file', { path: 'a.js' }],
      ['list_files', {}],
    ]);
    expect([counted.inputTokens, counted.outputTokens]).toEqual([10, 5]);
  });

  it('is a stream of one event with a whole message', async () => {
    expect((await generate(event(saying({ content: 'Done.' })))).text).toBe('Done.');
  });

  it.each([
    ['breaks off', event(chunk({ content: 'Do' }))],
    ['has no choice', `${event({ ...head, choices: [], usage })}${event('[DONE]')}`],
    ['is empty', event('[DONE]')],
  ])('cannot be read if a stream %s', async (_, body) => {
    const error = await generate(body).catch((one: unknown) => one);
    expect(classifyModelError(error)).toMatchObject({ kind: 'nonsense', remedy: 'retry' });
  });

  const errors: readonly (readonly [string, string, object])[] = [
    ['with a status', event({ error: { code: 429, message: 'Slow down' } }), { kind: 'rate-limited' }],
    ['by its name', event({ message: 'Model unloaded.' }, 'error'), { kind: 'not-ready' }],
    ['as a text', event('Model is loading', 'error'), { kind: 'not-ready' }],
    [
      'without a status',
      event({ error: { message: 'the request exceeds the available context size', type: 'server_error' } }),
      { kind: 'context-too-long' },
    ],
  ];

  it.each(errors)(
    'fails by an error that is the first event %s, also as a stream',
    async (_, first, kind) => {
      const body = `: PROCESSING\n\n${first}${event('[DONE]')}`;
      const error = await generate(body).catch((one: unknown) => one);
      expect(classifyModelError(error)).toMatchObject(kind);
      expect(classifyModelError(await findStreamError(body))).toMatchObject(kind);
    },
  );

  it.each(errors)('fails by an error in the middle %s, also as a stream', async (_, late, kind) => {
    const body = `${event(chunk({ content: 'Do' }))}${late}${event('[DONE]')}`;
    const error = await generate(body).catch((one: unknown) => one);
    expect(classifyModelError(error)).toMatchObject(kind);
    expect(classifyModelError(await findStreamError(body))).toMatchObject(kind);
  });

  async function findStreamError(body: unknown, type = 'text/event-stream') {
    const { model } = await connect(() => ({ type, body }));
    const { stream } = streamText({ model, tools, prompt: 'Go.', maxRetries: 0, onError: () => {} });
    for await (const part of stream) if (part.type === 'error') return part.error;
    return null;
  }

  it('leaves out a field that the first event of a stream refuses', async () => {
    const { model, requests } = await connect((body) =>
      'seed' in body
        ? {
            type: 'text/event-stream',
            body: event({ error: { code: 400, message: "Unknown field 'seed'" } }),
          }
        : {
            type: 'text/event-stream',
            body: `${event(chunk({ content: 'Done.' }, 'stop'))}${event('[DONE]')}`,
          },
    );
    const { text } = streamText({ model, seed: 1, prompt: 'Go.', maxRetries: 0 });
    expect(await text).toBe('Done.');
    expect(requests).toHaveLength(2);
  });

  it.each([
    ['its type', 'application/json'],
    ['the type of a stream', 'text/event-stream'],
    ['no type', 'text/plain'],
  ])('is JSON under %s instead of a stream', async (_, type) => {
    const { model } = await connect(() => ({
      type,
      body: `: PROCESSING\n\n${JSON.stringify(saying({ content: 'Done.' }))}`,
    }));
    expect(await streamText({ model, prompt: 'Go.', maxRetries: 0 }).text).toBe('Done.');
    const failure = await findStreamError({ error: { code: 503, message: 'Busy' } }, type);
    expect(classifyModelError(failure)).toMatchObject({ status: 503 });
  });

  it('is no answer if JSON without a choice is sent instead of a stream', async () => {
    const failure = await findStreamError({ ...head, choices: [], usage }, 'application/json');
    expect(classifyModelError(failure)).toMatchObject({ kind: 'nonsense', remedy: 'retry' });
  });
});
