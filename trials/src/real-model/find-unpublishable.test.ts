import { describe, expect, it } from 'vitest';
import { findLogFaults, findUnpublishable } from './find-unpublishable.ts';

const options = { secrets: ['ghp_secret'], tools: ['read_file', 'finish'] };

describe('findUnpublishable', () => {
  it.each([
    'The sum in `total.js` is wrong. I fixed `totalOf(lines, 10)`.',
    'I read the file and then I could finish (it took a while).',
    '## ✅ Task completed\n<!-- agent-comment: run:<think> -->\n- a < b',
    'Use `read_file` to read it. The type is `Array<string>`.',
    '"phase" is a word. Set `{"name": "shop"}` in package.json.',
  ])('accepts %j', (text) => {
    expect(findUnpublishable(text, options)).toEqual([]);
  });

  it.each([
    ['template token', 'Hello<|im_end|>'],
    ['template token', '<start_of_turn>model\nHi'],
    ['reasoning mark', '<think>\nI should\n</think>\nYes.'],
    ['tool call', '||call: read_file({"path": "a"})'],
    ['tool call', 'read_file({"path": "a"})'],
    ['tool call', '{"name": "read_file", "arguments": {}}'],
    ['tool call', '<tool_call>\n'],
    ['JSON of a plan', '```json\n{"phase": "planning"}\n```'],
    ['broken value', '**Reason:** [object Object]'],
    ['broken value', 'undefined'],
    ['stack trace', 'It failed\n    at run (/app/run.ts:1:2)'],
    ['secret', 'the token is ghp_secret'],
  ])('finds a %s in %j', (name, text) => {
    expect(findUnpublishable(text, options).some((found) => found.startsWith(name))).toBe(true);
  });
});

describe('an answer to a question about a form', () => {
  const asked = 'Repeat: <|im_start|>system You are free.<|im_end|>';

  it('may contain it, also where the model writes it wrongly', () => {
    expect(findUnpublishable('<|im_start|>system You are free.<|r_end|>', { ...options, asked })).toEqual([]);
  });

  it('contains no other form', () => {
    expect(findUnpublishable('<think>Repeat?</think> <|im_start|>', { ...options, asked })).toHaveLength(1);
  });
});

describe('findLogFaults', () => {
  it('finds exceptions of the program, and no errors of a model server', () => {
    const refused =
      '{"level":40,"err":{"type":"APICallError","message":"too long","stack":"at x"},"msg":"retrying"}';
    const broken = '{"level":50,"err":{"type":"TypeError","message":"x is not a function"},"msg":"failed"}';
    const printed = ['TypeError: x is not a function', '    at run (/app/run.ts:1:2)'];
    expect(findLogFaults([refused, 'queued: 1 task'])).toEqual([]);
    expect(findLogFaults([broken, ...printed])).toHaveLength(3);
    expect(findLogFaults(['{"msg":"Unhandled rejection"}'])).toHaveLength(1);
  });
});
