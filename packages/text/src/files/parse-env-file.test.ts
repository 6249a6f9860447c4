import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parseEnvFile } from './parse-env-file.ts';

describe('parseEnvFile', () => {
  it.each([
    'A=b\nC=d\n',
    'A=b\r\nC=d\r\n',
    '# comment\n\nA=b # comment\nB=\nC=a=b\n',
    'export A=1\nB = two words \n',
    'A="abc#d" # x\nB=\'1\'\nC=`x`\n',
    'A="line one\nline two"\nB=1\n',
    'A="line one\\nline two"\nB=\'no\\nbreak\'\n',
    "A=don't\nB=won't\n",
    'A.B-C=1\n',
  ])('reads what Node reads, without a problem: %j', (text) => {
    const { variables, problems } = parseEnvFile(text);
    expect(problems).toEqual([]);
    expect(variables).toEqual({ ...parseEnv(text) });
  });

  it('reads an indented export, and lines that end with a carriage return alone', () => {
    expect(parseEnvFile('  export A=1\rB=2').variables).toEqual({ A: '1', B: '2' });
  });

  it.each([
    ['GITHUB_TOKEN ghp_x\nB=2', { line: 1, kind: 'no-equals', name: null }, { B: '2' }],
    ['A=1\nGITHUB_TOKEN: ghp_x\nB=2', { line: 2, kind: 'no-equals', name: null }, { A: '1', B: '2' }],
    ['export A\nB=2', { line: 1, kind: 'no-equals', name: null }, { B: '2' }],
    ['=x\nB=1', { line: 1, kind: 'invalid-name', name: null }, { B: '1' }],
    ['$env:A="1"\nB=1', { line: 1, kind: 'invalid-name', name: null }, { B: '1' }],
    ['A B=1', { line: 1, kind: 'invalid-name', name: null }, {}],
    ['A=abc#def\nB=1', { line: 1, kind: 'cut-value', name: 'A' }, { A: 'abc', B: '1' }],
    ['\nA="abc\nB=2\n', { line: 2, kind: 'unclosed-quote', name: 'A' }, { A: '"abc', B: '2' }],
    ['A="abc\nB="def"\n', { line: 1, kind: 'unclosed-quote', name: 'A' }, { A: '"abc', B: 'def' }],
    ['A="x" y\nB=2', { line: 1, kind: 'text-after-quote', name: 'A' }, { A: 'x', B: '2' }],
  ] as const)(
    'reports the mistake of %j with its line, and still reads the rest',
    (text, problem, variables) => {
      expect(parseEnvFile(text)).toEqual({ variables, problems: [problem] });
    },
  );

  it('counts the lines of a quoted value that spans several', () => {
    const { problems } = parseEnvFile('A="1\n2\n3"\noops\n');
    expect(problems).toEqual([{ line: 4, kind: 'no-equals', name: null }]);
  });
});
