import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findAnswerTexts } from './ask-in-mode.ts';

describe('findAnswerTexts', () => {
  it('finds messages before calls, and calls before thoughts, of the Responses endpoint', () => {
    const output = [
      {
        type: 'reasoning',
        content: [{ type: 'reasoning_text', text: 'so' }],
        summary: [{ text: 'in short' }],
      },
      { type: 'function_call', arguments: { goal: 'a' } },
      { type: 'function_call', arguments: '{"goal":"b"}' },
      { type: 'message', content: [{ type: 'output_text', text: 'one ' }, { text: 'two' }] },
    ];
    expect(findAnswerTexts({ output })).toEqual([
      'one two',
      '{"goal":"a"}',
      '{"goal":"b"}',
      'so',
      'in short',
    ]);
  });

  it('finds the same of the chat endpoint', () => {
    const message = {
      content: 'prose',
      tool_calls: [{ function: { arguments: { goal: 'a' } } }],
      function_call: { arguments: '{"goal":"b"}' },
      reasoning_content: 'so',
      reasoning: 'thus',
    };
    const texts = ['prose', '{"goal":"a"}', '{"goal":"b"}', 'so', 'thus'];
    expect(findAnswerTexts({ choices: [{ message }] })).toEqual(texts);
    expect(findAnswerTexts(JSON.stringify({ choices: [{ message }] }))).toEqual(texts);
  });

  it('finds what is there though other fields are odd', () => {
    const message = {
      content: 3,
      tool_calls: 'none',
      reasoning_content: '{"goal":"a"}',
      reasoning: { a: 1 },
    };
    expect(findAnswerTexts({ choices: [{ message }], output: 'none' })).toEqual(['{"goal":"a"}']);
    expect(
      findAnswerTexts({ output: [null, 3, { content: [null, { text: 'a' }], arguments: null }] }),
    ).toEqual(['a']);
  });

  it('finds nothing in what is no answer, and never throws', () => {
    for (const body of [undefined, null, '', 'prose', 3, [], { error: { message: 'no' } }, { choices: [] }]) {
      expect(findAnswerTexts(body)).toEqual([]);
    }
    const message = fc.record({ message: fc.jsonValue() });
    const odd = fc.record({ output: fc.jsonValue(), choices: fc.array(message) });
    fc.assert(
      fc.property(odd, (body) => {
        expect(findAnswerTexts(body)).not.toContain('');
      }),
    );
  });
});
