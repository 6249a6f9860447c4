import { generateText, jsonSchema } from 'ai';
import { describe, expect, it } from 'vitest';
import { connect, continueWith, path, saying, tools } from '../../../test/compatible-endpoint.ts';

describe('a field that an endpoint refuses', () => {
  const done = { body: saying({ content: 'Done.' }) };
  const refuse = (body: unknown, status = 400) => ({ status, body });

  it.each<[string, number, unknown]>([
    ['seed', 400, { error: { message: "property 'seed' is unsupported", type: 'invalid_request_error' } }],
    [
      'seed',
      400,
      {
        error: {
          message: 'Unrecognized request argument supplied: seed',
          type: 'invalid_request_error',
          param: null,
          code: null,
        },
      },
    ],
    [
      'seed',
      422,
      {
        object: 'error',
        message: {
          detail: [
            {
              type: 'extra_forbidden',
              loc: ['body', 'seed'],
              msg: 'Extra inputs are not permitted',
              input: 7,
            },
          ],
        },
      },
    ],
    [
      'seed',
      422,
      {
        detail: [
          { type: 'extra_forbidden', loc: ['body', 'seed'], msg: 'Extra inputs are not permitted', input: 7 },
        ],
      },
    ],
    [
      'seed',
      400,
      [
        {
          error: {
            code: 400,
            message: 'Invalid JSON payload received. Unknown name "seed": Cannot find field.',
            status: 'INVALID_ARGUMENT',
          },
        },
      ],
    ],
    [
      'seed',
      400,
      { error: { message: "Unknown parameter: 'seed'.", param: 'seed', code: 'unknown_parameter' } },
    ],
    [
      'temperature',
      400,
      {
        error: {
          message:
            "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
          param: 'temperature',
          code: 'unsupported_value',
        },
      },
    ],
    ['temperature', 400, { error: { message: 'invalid temperature: only 1 is allowed for this model' } }],
    ['seed', 400, { error: 'unknown field `seed`, expected one of `model`, `temperature`' }],
    ['seed', 400, { error: { message: 'Invalid parameter: seed' } }],
    ['seed', 400, { error: { message: '不支持的参数：seed' } }],
    ['tool_choice', 400, { error: { message: 'deepseek-reasoner does not support this tool_choice' } }],
  ])('%s is left out at once and from then on (%i, %j)', async (field, status, refusal) => {
    const { model, requests } = await connect((body) => (field in body ? refuse(refusal, status) : done));
    const call = {
      model,
      tools,
      toolChoice: 'none' as const,
      prompt: 'Go.',
      seed: 7,
      temperature: 0.2,
      maxRetries: 0,
    };
    expect((await generateText(call)).text).toBe('Done.');
    await generateText(call);
    expect(requests.map((body) => field in body)).toEqual([true, false, false]);
  });

  it('is sent under the name that the refusal asks for', async () => {
    const message =
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
    const { model, requests } = await connect((body) =>
      'max_tokens' in body ? refuse({ error: { message } }) : done,
    );
    await generateText({ model, prompt: 'Go.', maxOutputTokens: 16, maxRetries: 0 });
    expect(requests.at(-1)).toMatchObject({ max_completion_tokens: 16 });
  });

  it('is left out of messages', async () => {
    const { model, requests } = await connect((body, count) => {
      if (count === 1)
        return {
          body: saying({ content: '', reasoning_content: 'Hm.', tool_calls: [{ id: 'a', function: path }] }),
        };
      if (!JSON.stringify(body).includes('reasoning_content')) return done;
      return refuse(
        {
          detail: [
            {
              type: 'extra_forbidden',
              loc: ['body', 'messages', 1, 'assistant', 'reasoning_content'],
              msg: 'Extra inputs are not permitted',
            },
          ],
        },
        422,
      );
    });
    const first = await generateText({ model, tools, prompt: 'Go.', maxRetries: 0 });
    const messages = continueWith(first);
    expect((await generateText({ model, tools, messages, maxRetries: 0 })).text).toBe('Done.');
    expect(requests).toHaveLength(3);
  });

  it.each([
    { error: { message: 'This model does not support tools' } },
    { error: { message: 'Model m is not supported' } },
    {
      error: {
        message: "This model's maximum context length is 10 tokens, you requested 20 (4 in max_tokens)",
      },
    },
  ])('is none that the request needs: %j', async (body) => {
    const { model, requests } = await connect(() => refuse(body));
    const asked = generateText({ model, tools, prompt: 'Go.', maxOutputTokens: 16, maxRetries: 0 });
    await expect(asked).rejects.toMatchObject({ statusCode: 400 });
    expect(requests).toHaveLength(1);
  });

  it('is left out of the schemas of tools, but not as the name of a property', async () => {
    const parameters = {
      type: 'object',
      additionalProperties: false,
      properties: { pattern: { pattern: '^a' } },
    };
    const own = { description: 'A tool', inputSchema: jsonSchema(parameters as object) };
    const refusals = ['additionalProperties', 'pattern'];
    const { model, requests } = await connect((_, count) => {
      const [name] = refusals.slice(count - 1);
      const message = `Unknown name "${name}" at 'tools[0].parameters': Cannot find field.`;
      return name === undefined ? done : refuse([{ error: { message } }]);
    });
    await generateText({ model, tools: { search: own }, prompt: 'Go.', maxRetries: 0 });
    expect(requests.at(-1)?.tools).toMatchObject([
      { function: { parameters: { type: 'object', properties: { pattern: {} } } } },
    ]);
    expect(JSON.stringify(requests.at(-1)?.tools)).not.toMatch(/additionalProperties|\^a/);
  });

  it('is no other field that the refusal lists', async () => {
    const { model, requests } = await connect((body) =>
      'seed' in body
        ? refuse({ error: 'unknown field `seed`, expected one of `model`, `temperature`' })
        : done,
    );
    await generateText({ model, prompt: 'Go.', seed: 7, temperature: 0.2, maxRetries: 0 });
    expect(requests.at(-1)).toMatchObject({ temperature: 0.2 });
  });

  it('never holds "store"', async () => {
    const { model, requests } = await connect(() => done);
    await generateText({
      model,
      prompt: 'Go.',
      maxRetries: 0,
      providerOptions: { openai: { store: false } },
    });
    expect(requests[0]).not.toHaveProperty('store');
  });
});
