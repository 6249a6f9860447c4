import { describe, expect, it } from 'vitest';
import { ask, askAndListCalls, calling, path, saying } from '../../../test/compatible-endpoint.ts';
import { repairArguments } from './repair-arguments.ts';

const read = (text: unknown): unknown => JSON.parse(repairArguments(text));

describe('the arguments of a call', () => {
  it.each<[string, unknown, unknown]>([
    ['in a fence', '```json\n{"path":"a.js"}\n```', { path: 'a.js' }],
    ['with a byte order mark', '\uFEFF{"path":"a.js"}', { path: 'a.js' }],
    ['with template marks behind them', '{"path":"a.js"}\n</tool_call><|im_end|>', { path: 'a.js' }],
    ['with a bracket too many', '{"path":"a.js"}}', { path: 'a.js' }],
    ['with a comma too many', '{"path":"a.js","tags":["x",],}', { path: 'a.js', tags: ['x'] }],
    ['with comments', '{"path": /* the {file} */ "a.js", // "this"\n"n": 1}', { path: 'a.js', n: 1 }],
    ['with line breaks in a string', '{"text":"a\n\tb"}', { text: 'a\n\tb' }],
    [
      'as Python writes them',
      "{'path': 'a \"b\".js', 'all': True, 'n': None}",
      { path: 'a "b".js', all: true, n: null },
    ],
    ['twice', '{"path":"a.js"}{"path": "a.js"}', { path: 'a.js' }],
    ['behind an empty object', '{}{"path":"a.js"}', { path: 'a.js' }],
    ['as a list', '[{"path":"a.js"}]', { path: 'a.js' }],
    ['as an empty list', [], {}],
    ['as a word for nothing', 'None', {}],
    ['without their last brackets', '{"a":{"path":"a.js"', { a: { path: 'a.js' } }],
  ])('are read %s', (_, written, expected) => {
    expect(read(written)).toEqual(expected);
  });

  it.each([
    '{"path":"a.js","content":"const a = 1',
    '{"path":"a.js","line":1',
    '{"path":"a.js",',
    '{"path":"a.js"}{"path":"b.js"}',
    '{"path":"a.js"} and more',
    "{'text': 'don't'}",
    '{"path":"a.js"]}',
    'a.js',
  ])('stay invalid if a value could be cut or two are meant: %s', (written) => {
    expect(() => read(written)).toThrow(SyntaxError);
  });

  it('take time in proportion to their length', () => {
    const started = performance.now();
    for (const part of ['{"a":[', '"a",', '/* x */', '\n', '` ', '<|x|>'])
      repairArguments(`{"text": "${'x'.repeat(100_000)}", ${part.repeat(50_000)}`);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});

describe('a call in the form of another vendor', () => {
  it.each<[string, unknown]>([
    [
      'with its input beside the name',
      calling({ id: 'a', type: 'tool_use', name: 'read_file', input: { path: 'a.js' } }),
    ],
    ['with parameters', calling({ id: 'a', function: { name: 'read_file', parameters: { path: 'a.js' } } })],
    [
      'as text',
      saying({ content: null, tool_calls: JSON.stringify([{ id: 'a', function: path }]) }, 'tool_calls'),
    ],
    [
      'among the content',
      saying({ content: [{ type: 'tool_use', id: 'a', name: 'read_file', input: { path: 'a.js' } }] }),
    ],
    ['in a list of one answer', [calling({ id: 'a', function: path })]],
    ['in an envelope', { success: true, result: calling({ id: 'a', function: path }) }],
    [
      'in the form of Ollama',
      {
        model: 'm',
        message: { role: 'assistant', content: '', tool_calls: [{ function: path }] },
        done: true,
      },
    ],
    ...[
      'Read_File',
      'read-file',
      'readFile',
      'default_api.read_file',
      'default_api:read_file',
      'tools.read_file',
    ].map((name): [string, unknown] => [`named ${name}`, calling({ id: 'a', function: { ...path, name } })]),
  ])('is made %s', async (_, body) => {
    expect(await askAndListCalls(body)).toEqual([['read_file', { path: 'a.js' }]]);
  });

  it.each([
    { type: 'reasoning', text: 'Hm.' },
    { type: 'reasoning', reasoning: 'Hm.' },
    { type: 'text', text: 'Hm.', thought: true },
  ])('does not show reasoning among the content: %j', async (part) => {
    const result = await ask(saying({ content: [part, { type: 'text', text: 'Done.' }] }));
    expect([result.text, result.reasoningText]).toEqual(['Done.', 'Hm.']);
  });
});
