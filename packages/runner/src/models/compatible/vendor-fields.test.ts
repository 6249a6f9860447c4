import { generateText } from 'ai';
import { describe, expect, it } from 'vitest';
import { ask, connect, continueWith, path, saying, tools } from '../../../test/compatible-endpoint.ts';

describe('the fields of a vendor', () => {
  const call = { id: 'a', type: 'function', function: path };

  async function replay(message: object) {
    const { model, requests } = await connect((_, count) => ({
      body: count === 1 ? saying(message) : saying({ content: 'Done.' }),
    }));
    const first = await generateText({ model, tools, prompt: 'Go.', maxRetries: 0 });
    await generateText({ model, tools, messages: continueWith(first), maxRetries: 0 });
    return requests[1]?.messages[1];
  }

  it.each<[string, object, object]>([
    [
      'reasoning_content',
      { content: '', reasoning_content: 'Hm.', tool_calls: [call] },
      { reasoning_content: 'Hm.' },
    ],
    [
      'an empty reasoning_content',
      { content: 'I read.', reasoning_content: '', tool_calls: [call] },
      { reasoning_content: '' },
    ],
    [
      'reasoning',
      { content: 'I read.', reasoning: 'Hm.', tool_calls: [call] },
      { reasoning: 'Hm.', content: 'I read.' },
    ],
    [
      'reasoning_details',
      {
        content: null,
        reasoning: 'Hm.',
        reasoning_details: [{ type: 'reasoning.encrypted', data: 'x', index: 0 }],
        tool_calls: [call],
      },
      { reasoning: 'Hm.', reasoning_details: [{ type: 'reasoning.encrypted', data: 'x', index: 0 }] },
    ],
    [
      'fields of a call',
      {
        content: null,
        tool_calls: [
          { ...call, extra_content: { google: { thought_signature: 'sig', more: 1 } }, other: 'x' },
        ],
      },
      {
        tool_calls: [
          { ...call, extra_content: { google: { thought_signature: 'sig', more: 1 } }, other: 'x' },
        ],
      },
    ],
    [
      'fields of a function',
      { content: null, tool_calls: [{ ...call, function: { ...path, thought: 'x' } }] },
      { tool_calls: [{ ...call, function: { ...path, thought: 'x' } }] },
    ],
    [
      'unknown fields',
      { content: 'I read.', vendor_thing: { a: [1] }, tool_calls: [call] },
      { vendor_thing: { a: [1] } },
    ],
    [
      'unknown fields of a text',
      { content: 'Hello.', extra_content: { google: { thought_signature: 'sig' } } },
      { content: 'Hello.', extra_content: { google: { thought_signature: 'sig' } } },
    ],
    [
      'thinking in the content',
      {
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] },
          { type: 'text', text: 'I read.' },
        ],
        tool_calls: [call],
      },
      {
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] },
          { type: 'text', text: 'I read.' },
        ],
      },
    ],
  ])('go back as they came: %s', async (_, message, expected) => {
    const sent = await replay(message);
    expect(sent).toMatchObject(expected);
    const names = ['reasoning_content', 'reasoning'].filter((name) => !(name in message));
    for (const name of names) expect(sent).not.toHaveProperty(name);
    expect(sent).not.toHaveProperty('vendor_fields');
  });

  it('do not go to another host', async () => {
    const first = await ask(saying({ content: 'Hello.', vendor_thing: 1 }));
    const { model, requests } = await connect(() => ({ body: saying({ content: 'Done.' }) }));
    await generateText({
      model,
      messages: [
        { role: 'user', content: 'Go.' },
        ...first.responseMessages,
        { role: 'user', content: 'And?' },
      ],
      maxRetries: 0,
    });
    expect(requests[0]?.messages[1]).toEqual({ role: 'assistant', content: 'Hello.' });
  });
});
