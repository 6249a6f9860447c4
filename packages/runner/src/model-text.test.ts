import { describe, expect, it } from 'vitest';
import { isCallInWords } from './model-text.ts';

describe('a call in words', () => {
  it.each([
    '<tool_call>{}</tool_call>',
    '<TOOL_CALL>{}',
    '<invoke name="edit_file"><parameter name="path">x</parameter></invoke>',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>edit_file',
    '<|python_tag|>{"name":"edit_file"}',
    '<|channel|>commentary to=functions.edit_file <|message|>{}',
    'I look first.\nfunctools[{"name":"edit_file"}]',
  ])('is known by the mark of %j [NX-46]', (text) => {
    expect(isCallInWords(text, [])).toBe(true);
  });

  it('is known by its mark or by being nothing else, and not where it is only spoken of', () => {
    expect(isCallInWords('[TOOL_CALLS][{"name":"a"}]', [])).toBe(true);
    expect(isCallInWords('{"name":"read","parameters":{}}', ['read'])).toBe(true);
    expect(isCallInWords('{"name":"other","parameters":{}}', ['read'])).toBe(false);
    expect(isCallInWords('It prints `<tool_call>` now.', ['read'])).toBe(false);
    expect(isCallInWords('```\n<tool_call>\n```', ['read'])).toBe(false);
    expect(isCallInWords('{ not json', ['read'])).toBe(false);
  });
});
