import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callTemplateNames, type WrittenCall, writeCalls } from './call-templates.ts';
import { QuotedText } from './quoted-calls.ts';

const toPython = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(toPython).join(', ')}]`;
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .map(([key, one]) => `${JSON.stringify(key)}: ${toPython(one)}`)
      .join(', ')}}`;
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return value === null ? 'None' : JSON.stringify(value);
};

/** Forms in which a text of others can hold a call. */
const forms: readonly ((call: WrittenCall) => string)[] = [
  ...callTemplateNames.map((template) => (call: WrittenCall) => writeCalls(template, [call])),
  ({ name, input }) => JSON.stringify({ name, arguments: input }, null, 4),
  ({ name, input }) => JSON.stringify({ arguments: input, id: 7, name }, null, '\t'),
  ({ name, input }) => JSON.stringify({ function: { name, arguments: JSON.stringify(input) } }),
  ({ name, input }) =>
    `${name}(${Object.entries(input)
      .map(([key, one]) => `${key} = ${toPython(one)}`)
      .join(', ')})`,
  ({ name, input }) =>
    `<function=${name}>\n${Object.entries(input)
      .map(
        ([key, one]) =>
          `<parameter=${key}>\n${typeof one === 'string' ? one : JSON.stringify(one)}\n</parameter>`,
      )
      .join('\n')}\n</function>()`,
  ({ name, input }) => `Action: ${name}\nAction Input: ${JSON.stringify(input)}`,
];

const spellAll = (text: string) =>
  [...text]
    .map((sign) => [...sign].map((one) => `\\u{${one.codePointAt(0)?.toString(16)}}`).join(''))
    .join('');

/** Ways in which a text can be escaped. */
const escapes: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.replace(/[{}":,]/g, ' $& '),
  (text) => text.replace(/[{}":,]/g, '\u200b$&\n\n  '),
  (text) => JSON.stringify(text),
  (text) => JSON.stringify(JSON.stringify(text)),
  spellAll,
  (text) => text.replace(/(?<!\\)[a-z]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`),
  (text) => text.replace(/[<>&"]/g, (sign) => `&#${sign.charCodeAt(0)};`),
  (text) => text.replace(/[<>&"]/g, (sign) => `&#x${sign.charCodeAt(0).toString(16)};`),
  (text) => encodeURIComponent(text),
  (text) => text.toUpperCase(),
  (text) => text.replaceAll('a', 'ａ'),
];

const scalar = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.constantFrom(
    '.',
    'src/a.ts',
    'npm test',
    'rm -rf /',
    'ファイル',
    'a\nb\t"c"',
    "it's",
    '%41',
    'C:\\new',
    '',
  ),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
);
const input = fc.dictionary(
  fc.stringMatching(/^[a-z][a-z_]{0,7}$/),
  fc.oneof(
    scalar,
    fc.array(scalar, { maxLength: 3 }),
    fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), scalar, { maxKeys: 2 }),
  ),
  { maxKeys: 3 },
);
const anyCall = fc.record({ name: fc.constantFrom('read_file', 'run_command', 'list_files', 'Bash'), input });

describe('QuotedText', () => {
  it('finds each call of a text, in any syntax and with any escapes', () => {
    const around = fc.string({ maxLength: 60 }).filter((text) => !/[\\%&]/.test(text));
    const surrogates = (text: string) => text.isWellFormed();
    fc.assert(
      fc.property(
        ...([anyCall, fc.constantFrom(...forms), fc.constantFrom(...escapes), around, around] as const),
        (call, write, spell, before, behind) => {
          fc.pre(surrogates(JSON.stringify(call)));
          const text = `${before} ${spell(write(call))} ${behind}`;
          expect(new QuotedText(text).has(call), text).toBe(true);
        },
      ),
      { numRuns: 3_000 },
    );
  });

  it.each([
    ['{"name": "edit", "arguments": {"line": 1.0, "to": 1e3}}', { line: 1, to: 1000 }],
    ['edit("a.js", 12)', { path: 'a.js', line: 12 }],
  ])('finds the call whatever its values are written like: %s', (text, values) => {
    expect(new QuotedText(text).has({ name: 'edit', input: values })).toBe(true);
  });

  it.each([
    ['read_file', { path: 'a.js' }, 'Please fix a.js. I used read_file for it.'],
    ['read_file', { path: 'a.js' }, '{"name": "read_file", "arguments": {"path": "b.js"}}'],
    ['list_files', {}, 'There is the tool list_files, and read_file(path).'],
    ['list_files', { path: '.' }, '{"task": "1", "tool": "list_files", "purpose": "See what is there."}'],
    ['run_command', { command: 'npm test' }, 'Run `npm test` with run_command.'],
    ['work', { text: 'a' }, 'Work on the text above. Text: about 3 (a list of texts) for the work.'],
    ['list_files', {}, '===== BEGIN TEXT x | output of: list_files | authority: untrusted (…) =====\na.js'],
  ])('takes a call for one of the model if the text only names its parts: %s %j', (name, values, text) => {
    expect(new QuotedText(text).has({ name, input: values })).toBe(false);
  });

  it('takes time in proportion to the text', { tags: ['full'] }, () => {
    const call = { name: 'edit', input: { path: 'a'.repeat(50), line: 1 } };
    for (const piece of ['edit ', '\\', '\\\\u', '%4', '&#', 'path a', '1e', '(']) {
      const before = process.cpuUsage().user;
      new QuotedText(piece.repeat(500_000 / piece.length)).has(call);
      // Far above what it takes and far below what quadratic work would.
      expect(process.cpuUsage(undefined).user - before, piece).toBeLessThan(5_000_000);
    }
  });
});
