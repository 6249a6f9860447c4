import { describe, expect, it } from 'vitest';
import { isCallInWords, withoutThinking } from './model-text.ts';

describe('what a model only thought', () => {
  it.each([
    ['<think>a\nb</think>\nAnswer.', 'Answer.'],
    ['  <thinking>a</thinking>Answer.', 'Answer.'],
    ['Plan first.\n</think>\n\nAnswer.', 'Answer.'],
    ['Plan first.</think>\nAnswer.', 'Answer.'],
    ['Answer.\n<think>more</think>\nThe rest.', 'Answer.\nThe rest.'],
    ['<think>a</think>\n<think>b</think>\nAnswer.', 'Answer.'],
    ['<think>never closed', ''],
    ['Answer.\n<think>never closed', 'Answer.'],
    ['<think type="deep">a</think>Answer.', 'Answer.'],
    ['<THINK>a</Think >Answer.', 'Answer.'],
    ['Plan first.</think>Answer.', 'Answer.'],
    ['They write `</think>` here.</think>Answer.', 'Answer.'],
    [
      '<|channel|>analysis<|message|>Plan.<|end|><|start|>assistant<|channel|>final<|message|>Answer.<|return|>',
      'Answer.',
    ],
    ['<|channel|>analysis<|message|>Plan', ''],
  ])('is taken out of %j [NX-46]', (text, kept) => {
    expect(withoutThinking(text)).toBe(kept);
  });

  it.each([
    ['The parser now drops `</think>` marks.'],
    ['```\n<think>a</think>\n```\nis an example.'],
    ['a < b and b > c'],
    ['It strips </think> and "</think>", (</think>), and </think>.'],
    ['The header is `<|channel|>final<|message|>`, as before.'],
  ])('is not found in %j', (text) => {
    expect(withoutThinking(text)).toBe(text);
  });

  it('is found in proportion to the text', () => {
    for (const unit of [
      '<think>',
      '</think>',
      '<',
      '\n',
      '```\n',
      '<think></think>',
      ' <think>\n',
      ' </think> ',
    ]) {
      const text = unit.repeat(Math.ceil(1_000_000 / unit.length));
      const before = process.cpuUsage().user;
      withoutThinking(text);
      isCallInWords(text, ['a']);
      // Far above what it takes and far below what quadratic work would: this measures a class, not a machine.
      expect(process.cpuUsage(undefined).user - before).toBeLessThan(5_000_000);
    }
  });
});

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
