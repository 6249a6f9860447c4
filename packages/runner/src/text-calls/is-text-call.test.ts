import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dialects, tools } from '../../test/text-calls/dialects.ts';
import { honestAnswers } from '../../test/text-calls/honest-answers.ts';
import { isTextCall, withoutGrowingCall } from './is-text-call.ts';

describe('isTextCall', () => {
  it.each(Object.entries(dialects))('recognizes a call in the form: %s', (_, text) => {
    for (const hasCalled of [true, false]) expect(isTextCall(text, { tools, hasCalled })).toBe(true);
    expect(isTextCall(`\n${text}\n\n`, { tools })).toBe(true);
  });

  it.each(honestAnswers)('takes an answer about tools for an answer: %s', (text) => {
    for (const hasCalled of [true, false]) expect(isTextCall(text, { tools, hasCalled })).toBe(false);
  });

  it.each([
    '<tool_call>{}</tool_call>',
    '<TOOL_CALL>{}',
    '<invoke name="edit_file"><parameter name="path">x</parameter></invoke>',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>edit_file',
    '<|python_tag|>{"name":"edit_file"}',
    '<|channel|>commentary to=functions.edit_file <|message|>{}',
    'I look first.\nfunctools[{"name":"edit_file"}]',
    '[TOOL_CALLS][{"name":"a"}]',
  ])('recognizes the marks around a call without knowing the tool: %s', (text) => {
    expect(isTextCall(text, { tools: [] })).toBe(true);
    expect(isTextCall(text, { tools: null })).toBe(true);
  });

  it('recognizes a JSON call only by the name of a tool, unless the tools are not known', () => {
    expect(isTextCall('{"name":"read","parameters":{}}', { tools: ['read'] })).toBe(true);
    expect(isTextCall('{"name":"other","parameters":{}}', { tools: ['read'] })).toBe(false);
    expect(isTextCall('{"name":"other","parameters":{}}', { tools: null })).toBe(true);
    expect(isTextCall('It is {"name":"other","parameters":{}} there.', { tools: null })).toBe(false);
    expect(isTextCall('{"name":"Ann","age":3}', { tools: null })).toBe(false);
    expect(isTextCall('It prints `<tool_call>` now.', { tools: ['read'] })).toBe(false);
    expect(isTextCall('```\n<tool_call>\n```', { tools: ['read'] })).toBe(false);
    expect(isTextCall('{ not json', { tools: ['read'] })).toBe(false);
  });

  it('takes a fence below a heading for a call only in a run that has made none', () => {
    const text =
      '## Step 1: Read the file\n\n```json\n{"name": "read_file", "arguments": {"path": "a.js"}}\n```';
    expect([false, true].map((hasCalled) => isTextCall(text, { tools, hasCalled }))).toEqual([true, false]);
  });

  it('reads no code between equally many backticks of a line, and all else', () => {
    const call = '<tool_call>{"name":"read"}';
    const isCall = (text: string) => isTextCall(text, { tools: ['read'] });
    expect(isCall(`It prints \`\`${call}\`\` and \`more\`.`)).toBe(false);
    expect(isCall(`It prints \`\`\`${call}\`\` now.`)).toBe(false);
    expect(isCall(`It has \`\`one\`\`\`${call}\` in it.`)).toBe(false);
    expect(isCall(`It has \`one\`${call}\`two\`.`)).toBe(true);
    expect(isCall(`A \` alone.\n${call}\n\`.`)).toBe(true);
  });

  it('shows nothing of a call while its text grows', () => {
    for (const text of ['{"na', '[{"name"', '```json\n{"na', '<tool_call>\n{"na', '<minimax:tool_call>'])
      expect(withoutGrowingCall(text)).toBe('');
    expect(withoutGrowingCall('I look.\n<tool_call>{"name"')).toBe('I look.');
    expect(withoutGrowingCall('x < y and [see](b)')).toBe('x < y and [see](b)');
  });

  it('takes time in proportion to the text, and never throws', { tags: ['full'] }, () => {
    const pieces = [
      ...[
        '<tool_call>',
        'read_file(',
        'read_file {',
        '{',
        '}',
        '{"name":"read_file","arguments":{}}',
        '`',
        '```\n',
      ],
      ...[
        '\n',
        '<',
        '[',
        ' ',
        '"',
        'a',
        'Action: read_file\n',
        '<read_file>',
        '</read_file>',
        '✿',
        'to=',
        '(',
        '*',
      ],
    ];
    for (const piece of pieces) {
      const text = piece.repeat(Math.ceil(200_000 / piece.length));
      const before = process.cpuUsage().user;
      isTextCall(text, { tools });
      withoutGrowingCall(text);
      // Far above what it takes and far below what quadratic work would.
      expect(process.cpuUsage(undefined).user - before, piece).toBeLessThan(5_000_000);
    }
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 60 }), (written) => {
        expect(typeof isTextCall(written.join(''), { tools })).toBe('boolean');
      }),
    );
  });
});
