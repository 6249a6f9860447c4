import { generateText, streamText } from 'ai';
import { describe, expect, it } from 'vitest';
import {
  ask,
  askAndListCalls,
  calling,
  connect,
  head,
  path,
  saying,
  tools,
  usage,
} from '../../../test/compatible-endpoint.ts';

describe('a chat answer of a compatible endpoint', () => {
  it.each<[string, object, unknown]>([
    ['without a type', { id: 'a', index: 0, function: path }, { path: 'a.js' }],
    ['without an id', { type: 'function', function: path }, { path: 'a.js' }],
    ['with an empty id', { id: '', type: 'function', function: path }, { path: 'a.js' }],
    ['with a null id', { id: null, type: null, index: null, function: path }, { path: 'a.js' }],
    ['with a number as id', { id: 7, function: path }, { path: 'a.js' }],
    ['without arguments', { id: 'a', function: { name: 'read_file' } }, {}],
    ['with null arguments', { id: 'a', function: { name: 'read_file', arguments: null } }, {}],
    ['with empty arguments', { id: 'a', function: { name: 'read_file', arguments: '' } }, {}],
    ['with "null" as arguments', { id: 'a', function: { name: 'read_file', arguments: 'null' } }, {}],
    [
      'with an object as arguments',
      { id: 'a', function: { name: 'read_file', arguments: { path: 'a.js' } } },
      { path: 'a.js' },
    ],
    [
      'with arguments encoded twice',
      { id: 'a', function: { name: 'read_file', arguments: '"{\\"path\\":\\"a.js\\"}"' } },
      { path: 'a.js' },
    ],
    [
      'with arguments that lack a bracket',
      { id: 'a', function: { name: 'read_file', arguments: '{"path":"a.js","tags":["x"]' } },
      { path: 'a.js', tags: ['x'] },
    ],
    ['without a function around it', { id: 'a', ...path }, { path: 'a.js' }],
    [
      'with template marks behind the name',
      { id: 'a', function: { ...path, name: 'read_file<|channel|>json' } },
      { path: 'a.js' },
    ],
    [
      'with a prefix before the name',
      { id: 'a', function: { ...path, name: 'functions.read_file:0' } },
      { path: 'a.js' },
    ],
  ])('makes a call %s', async (_, call, input) => {
    expect(await askAndListCalls(calling(call))).toEqual([['read_file', input]]);
  });

  it.each([
    ['inside a string', '{"path":"a.js","content":"const a = 1'],
    ['inside a key', '{"path":"a.js","cont'],
    ['behind a number', '{"path":"a.js","line":1'],
    ['behind a comma', '{"path":"a.js",'],
  ])('leaves a call invalid whose arguments end %s', async (_, args) => {
    expect(
      await askAndListCalls(calling({ id: 'a', function: { name: 'read_file', arguments: args } })),
    ).toEqual([['read_file']]);
  });

  it('makes the call of the legacy field, a single call, and calls in a second choice', async () => {
    const legacy = saying({ content: null, function_call: path }, 'function_call');
    const single = saying({ tool_calls: { id: 'a', function: path } }, 'tool_calls');
    const [choice] = calling({ id: 'a', function: path }).choices;
    const second = {
      ...saying({ content: 'I read it.' }),
      choices: [...saying({ content: 'I read it.' }).choices, choice],
    };
    for (const body of [legacy, single, second])
      expect(await askAndListCalls(body)).toEqual([['read_file', { path: 'a.js' }]]);
  });

  it.each<[string, object, string, string | undefined]>([
    [
      'a list of texts',
      {
        content: [
          { type: 'text', text: 'Do' },
          { type: 'text', text: 'ne.' },
        ],
      },
      'Done.',
      undefined,
    ],
    [
      'thinking and text',
      {
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] },
          { type: 'text', text: 'Done.' },
        ],
      },
      'Done.',
      'Hm.',
    ],
    ['thinking as a string', { content: [{ type: 'thinking', thinking: 'Hm.' }, 'Done.'] }, 'Done.', 'Hm.'],
    [
      'parts without a type',
      { content: [{ text: 'Done.' }, { type: 'reference', reference_ids: [1] }] },
      'Done.',
      undefined,
    ],
    ['reasoning_content', { content: 'Done.', reasoning_content: 'Hm.' }, 'Done.', 'Hm.'],
    ['reasoning and no content', { content: null, reasoning: 'Hm.' }, '', 'Hm.'],
    ['reasoning as an object', { content: 'Done.', reasoning: { effort: 'low' } }, 'Done.', undefined],
    [
      'annotations of any kind',
      { content: 'Done.', annotations: [{ type: 'file', file: { hash: 'x' } }] },
      'Done.',
      undefined,
    ],
    ['a refusal that is no text', { content: 'Done.', refusal: false }, 'Done.', undefined],
    ['another role', { role: 'model', content: 'Done.' }, 'Done.', undefined],
  ])('is read from %s', async (_, message, text, reasoning) => {
    const result = await ask(saying(message));
    expect([result.text, result.reasoningText]).toEqual([text, reasoning]);
  });

  it.each<[string, object]>([
    ['fractions', { usage: { prompt_tokens: 10.4, completion_tokens: 5.0, total_tokens: 15.4 } }],
    ['texts', { usage: { prompt_tokens: '10', completion_tokens: '5' } }],
    [
      'details that are null or odd',
      {
        usage: {
          ...usage,
          prompt_tokens_details: null,
          completion_tokens_details: { reasoning_tokens: null },
        },
      },
    ],
    ['other names', { usage: { input_tokens: 10, output_tokens: 5 } }],
  ])('counts tokens from %s', async (_, fields) => {
    const result = await ask({ ...saying({ content: 'Done.' }), ...fields });
    expect([result.usage.inputTokens, result.usage.outputTokens]).toEqual([10, 5]);
  });

  it.each<[string, object]>([
    ['no usage', { usage: null }],
    ['a list as usage', { usage: [] }],
    ['no id, model and time', { id: null, model: null, created: null }],
    ['a number as id and a text as time', { id: 1, created: '2024' }],
    ['unknown fields', { x_groq: { id: 'r' }, service_tier: 7, prompt_logprobs: null }],
  ])('is read with %s', async (_, fields) => {
    expect((await ask({ ...saying({ content: 'Done.' }), ...fields })).text).toBe('Done.');
  });

  it.each(['eos', null, 1])('is read with the finish reason %j', async (reason) => {
    expect((await ask(saying({ content: 'Done.' }, reason))).text).toBe('Done.');
  });

  it.each([
    [
      'comment lines before',
      (json: string) => `: OPENROUTER PROCESSING\n\n: OPENROUTER PROCESSING\n\n${json}`,
    ],
    ['comment lines behind', (json: string) => `${json}\n: OPENROUTER PROCESSING\n`],
    ['empty lines', (json: string) => `\n   \n\n${json}\n`],
    ['a byte order mark', (json: string) => `\uFEFF${json}`],
  ])('is read with %s', async (_, wrap) => {
    expect((await ask(wrap(JSON.stringify(saying({ content: 'Done.' }))))).text).toBe('Done.');
  });
});

describe('an error instead of an answer', () => {
  it.each<[unknown, number, string]>([
    [{ error: { code: 429, message: 'Slow down' } }, 429, 'Slow down'],
    [{ error: { code: '503', message: 'Busy' }, choices: [] }, 503, 'Busy'],
    [{ error: 'Model crashed' }, 500, 'Model crashed'],
    [{ error: { message: 'Provider returned error', code: 'weird' } }, 500, 'Provider returned error'],
    [{ object: 'error', message: 'Too long', code: 400 }, 400, 'Too long'],
    [[{ error: { code: 400, message: 'No signature' } }], 400, 'No signature'],
    [
      {
        ...head,
        choices: [
          {
            error: { code: 502, message: 'Cut' },
            finish_reason: 'error',
            message: { role: 'assistant', content: '' },
          },
        ],
      },
      502,
      'Cut',
    ],
  ])('fails with its status: %j', async (body, statusCode, message) => {
    await expect(ask(body)).rejects.toMatchObject({ name: 'AI_APICallError', statusCode, message });
  });

  it('is not seen in an answer with an empty error', async () => {
    expect((await ask({ ...saying({ content: 'Done.' }), error: null })).text).toBe('Done.');
    expect((await ask({ ...saying({ content: 'Done.' }), error: { message: 'late' } })).text).toBe('Done.');
  });

  it.each([{ choices: [] }, { choices: null }, {}])('is not invented: %j cannot be read', async (body) => {
    await expect(ask({ ...head, ...body })).rejects.not.toMatchObject({ statusCode: 500 });
  });

  it('keeps the words of a refusal in whatever form', async () => {
    const forms = [
      [{ error: { message: 'No.', code: 400 } }],
      { message: 'No.' },
      { error: 'No.' },
      { detail: 'No.' },
    ];
    for (const body of forms) {
      const { model } = await connect(() => ({ status: 400, body }));
      await expect(generateText({ model, prompt: 'Go.', maxRetries: 0 })).rejects.toMatchObject({
        statusCode: 400,
        message: 'No.',
      });
    }
  });
});

describe('a streamed answer of a compatible endpoint', () => {
  const chunk = (delta: object, finish_reason: unknown = null) => ({
    ...head,
    choices: [{ index: 0, delta, finish_reason }],
  });
  const toEvents = (chunks: readonly unknown[], end = 'data: [DONE]\n\n') =>
    `: OPENROUTER PROCESSING\n\n${chunks.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('')}${end}`;

  async function stream(body: unknown, type = 'text/event-stream') {
    const { model } = await connect(() => ({ type, body }));
    const result = streamText({ model, tools, prompt: 'Go.', maxRetries: 0, onError: () => {} });
    let error: unknown = null;
    for await (const part of result.stream) if (part.type === 'error') error = part.error;
    if (error !== null) return { error };
    const calls = await result.toolCalls;
    return {
      text: await result.text,
      calls: calls.map(({ toolName, input }) => [toolName, input]),
      reason: await result.finishReason,
    };
  }

  it.each<[string, readonly unknown[]]>([
    [
      'with index and type',
      [
        chunk({
          tool_calls: [
            { index: 0, id: 'a', type: 'function', function: { name: 'read_file', arguments: '' } },
          ],
        }),
        chunk({ tool_calls: [{ index: 0, function: { arguments: '{"path":"a.js"}' } }] }),
      ],
    ],
    [
      'without an index',
      [
        chunk({ tool_calls: [{ id: 'a', function: { name: 'read_file', arguments: '{"path":' } }] }),
        chunk({ tool_calls: [{ id: '', function: { name: null, arguments: '"a.js"}' } }] }),
      ],
    ],
    [
      'in one piece with an object',
      [chunk({ tool_calls: [{ function: { name: 'read_file', arguments: { path: 'a.js' } } }] })],
    ],
    [
      'with a name that is null in a second piece',
      [
        chunk({
          tool_calls: [{ index: 0, id: 'a', function: { name: 'read_file', arguments: '{"path":"a.js"}' } }],
        }),
        chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: null, arguments: null } }] }),
      ],
    ],
  ])('makes a call %s', async (_, chunks) => {
    const body = toEvents([
      ...chunks,
      chunk({}, 'tool_calls'),
      { choices: null, usage: { prompt_tokens: 1.5 } },
    ]);
    expect(await stream(body)).toMatchObject({ calls: [['read_file', { path: 'a.js' }]] });
  });

  it('makes two calls without an index', async () => {
    const calls = ['a.js', 'b.js'].map((name) =>
      chunk({ tool_calls: [{ function: { name: 'read_file', arguments: JSON.stringify({ path: name }) } }] }),
    );
    expect(await stream(toEvents([...calls, chunk({}, 'tool_calls')]))).toMatchObject({
      calls: [
        ['read_file', { path: 'a.js' }],
        ['read_file', { path: 'b.js' }],
      ],
    });
  });

  it('is whole without a finish reason if its end was sent, and not otherwise', async () => {
    expect(await stream(toEvents([chunk({ role: 'assistant', content: 'Done.' })]))).toMatchObject({
      text: 'Done.',
    });
    expect(await stream(toEvents([chunk({ content: 'Do' })], ''))).toHaveProperty('error');
  });

  it('is read when it comes as one JSON', async () => {
    expect(await stream(saying({ content: 'Done.' }), 'application/json')).toMatchObject({
      text: 'Done.',
      reason: 'stop',
    });
  });

  it('reports an error in the middle', async () => {
    const body = toEvents([
      chunk({ content: 'Do' }),
      {
        error: { code: 502, message: 'Cut' },
        choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error' }],
      },
    ]);
    expect(await stream(body)).toMatchObject({ error: { message: 'Cut' } });
  });
});
