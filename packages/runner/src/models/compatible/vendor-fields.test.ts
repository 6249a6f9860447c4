import { generateText, streamText } from 'ai';
import { describe, expect, it } from 'vitest';
import { ask, connect, continueWith, head, path, saying, tools } from '../../../test/compatible-endpoint.ts';

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

  describe('of a stream', () => {
    const toStream = (deltas: readonly object[]) => {
      const chunks = deltas.map((delta) => ({ ...head, choices: [{ index: 0, delta }] }));
      const end = { ...head, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
      const events = [...chunks, end].map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`);
      return { type: 'text/event-stream', body: `${events.join('')}data: [DONE]\n\n` };
    };

    async function replayStream(deltas: readonly object[]) {
      const { model, requests } = await connect((_, count) =>
        count === 1 ? toStream(deltas) : { body: saying({ content: 'Done.' }) },
      );
      const stream = streamText({ model, tools, prompt: 'Go.', maxRetries: 0, onError: () => {} });
      const responseMessages = (await stream.response).messages;
      const messages = continueWith({ responseMessages, toolCalls: await stream.toolCalls } as never);
      await generateText({ model, tools, messages, maxRetries: 0 });
      return requests[1]?.messages[1];
    }

    const signed = { google: { thought_signature: 'sig' } };
    it.each<[string, readonly object[], object]>([
      [
        'reasoning_content',
        [
          { reasoning_content: 'H' },
          { reasoning_content: 'm.' },
          { tool_calls: [{ index: 0, id: 'a', type: 'function', function: { ...path, arguments: '{"pa' } }] },
          { tool_calls: [{ index: 0, function: { arguments: 'th":"a.js"}' } }] },
        ],
        { reasoning_content: 'Hm.', tool_calls: [{ function: path }] },
      ],
      [
        'a signature of a call',
        [
          { tool_calls: [{ index: 0, id: 'a', function: path, extra_content: signed, other: 'x' }] },
          { tool_calls: [{ index: 1, id: 'b', function: path }] },
        ],
        { tool_calls: [{ id: 'a', extra_content: signed, other: 'x' }, { id: 'b' }] },
      ],
      [
        'reasoning_details',
        [
          { reasoning: 'H', reasoning_details: [{ type: 'reasoning.text', text: 'H', index: 0 }] },
          { reasoning: 'm.', reasoning_details: [{ type: 'reasoning.text', text: 'm.', index: 0 }] },
          { reasoning_details: [{ type: 'reasoning.text', signature: 's', index: 0 }] },
          { content: 'I ' },
          { content: 'read.' },
        ],
        {
          content: 'I read.',
          reasoning: 'Hm.',
          reasoning_details: [{ type: 'reasoning.text', text: 'Hm.', signature: 's', index: 0 }],
        },
      ],
      [
        'a field of a text',
        [{ content: 'Hel' }, { content: 'lo.' }, { extra_content: signed }],
        { content: 'Hello.', extra_content: signed },
      ],
    ])('go back as they came: %s', async (_, deltas, expected) => {
      const sent = await replayStream(deltas);
      expect(sent).toMatchObject(expected);
      expect(sent).not.toHaveProperty('vendor_fields');
    });
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
