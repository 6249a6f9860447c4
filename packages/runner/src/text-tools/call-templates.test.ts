import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callTemplateNames, readCalls, writeCalls } from './call-templates.ts';

const call = { name: 'read_file', input: { path: 'a.js' } };
const A = '{"path": "a.js"}';

describe('readCalls', () => {
  it('reads what writeCalls writes, in the same template only', () => {
    const input = fc.dictionary(fc.stringMatching(/^[a-z_]{1,8}$/), fc.jsonValue());
    const calls = fc.array(fc.record({ name: fc.stringMatching(/^[\w.-]{1,12}$/), input }), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(calls, fc.constantFrom(...callTemplateNames), (written, template) => {
        const text = writeCalls(template, written);
        expect(JSON.stringify(readCalls(template, text))).toBe(JSON.stringify(written));
        for (const other of callTemplateNames)
          if (other !== template) expect(readCalls(other, text)).toBeNull();
        expect(readCalls(template, `Now:\n${text}`)).toBeNull();
        expect(readCalls(template, `${text}\nDone.`)).toBeNull();
        expect(readCalls(template, `\`\`\`\n${text}\n\`\`\``)).toBeNull();
        expect(readCalls(template, text.slice(0, text.lastIndexOf('}')))).toBeNull();
      }),
    );
  });

  it.each([
    ['hermes', `<tool_call>\n{"name": "read_file", "arguments": ${A}}\n</tool_call>\n`],
    [
      'hermes',
      `<think>\nI need it.\n</think>\n\n<tool_call>{"arguments": ${A}, "name": "read_file"}</tool_call>`,
    ],
    ['llama', `<|python_tag|>{"type": "function", "name": "read_file", "parameters": ${A}}`],
    ['mistral', `[TOOL_CALLS] [{"name": "read_file", "arguments": ${A}, "id": "Xy3"}]`],
    ['mistral', `[TOOL_CALLS]read_file[ARGS]${A}`],
    [
      'deepseek',
      `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>read_file\n\`\`\`json\n${A}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
    ],
    [
      'deepseek',
      `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>read_file<｜tool▁sep｜>${A}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
    ],
    [
      'harmony',
      `<|channel|>analysis<|message|>We need < it.<|end|><|start|>assistant<|channel|>commentary to=functions.read_file <|constrain|>json<|message|>${A}<|call|>`,
    ],
  ] as const)('reads a call in the template %s: %s', (template, text) => {
    expect(readCalls(template, text)).toEqual([call]);
  });

  it.each([
    ['hermes', `<tool_call>{"name": "read_file", "arguments": "x"}</tool_call>`],
    ['hermes', `<tool_call>{"name": "read_file", "arguments": ${A}, "why": "x"}</tool_call>`],
    ['hermes', `<tool_call>{"name": "read_file", "arguments": {"path": "a.js}}</tool_call>`],
    ['hermes', `<tool_call>{"name": "read_file", "arguments": ${A}}`],
    ['hermes', `<think><tool_call>{"name": "read_file", "arguments": ${A}}</tool_call>`],
    ['llama', `{"name": "read_file", "arguments": ${A}}`],
    ['mistral', `[TOOL_CALLS][]`],
    ['mistral', `[TOOL_CALLS][{"name": "read_file", "arguments": ${A}}`],
    ['deepseek', ''],
  ] as const)('reads nothing from another form, in the template %s: %s', (template, text) => {
    expect(readCalls(template, text)).toBeNull();
  });
});
