import { existsSync, mkdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSourceTree } from '../shape/source-tree.ts';
import { repositoryRoot } from '../workspace/root.ts';
import { allowedExpressions, builtExpressions } from './allowed-expressions.ts';
import { findSlowExpressions, type LinearExpressions } from './find-slow-expressions.ts';
import { listExpressions } from './list-expressions.ts';

const { found, built } = listExpressions(readSourceTree(repositoryRoot));
const literalOf = ({ pattern, flags }: { readonly pattern: string; readonly flags: string }) =>
  `/${pattern}/${flags}`;

/** What was checked once is not checked again, but for `npm run test:release`: hashes of linear expressions, one a line. */
const known = join(import.meta.dirname, 'linear.txt');
const cache = join(repositoryRoot, 'node_modules/.cache/linear-expressions.txt');

function readLinear(): LinearExpressions {
  const files = process.env.TEST_RELEASE === '1' ? [] : [known, cache];
  const read = (file: string) => readFileSync(file, 'utf8').split('\n');
  return new Set(files.filter(existsSync).flatMap(read).filter(Boolean));
}

function findSlow(pattern: string, flags = ''): string | null {
  return findSlowExpressions([{ path: '', line: 1, pattern, flags }])[0]?.complexity ?? null;
}

describe('the regular expressions of packages and apps', () => {
  it('are all found', () => {
    expect(found.length).toBeGreaterThan(300);
  });

  it('take time in proportion to the text: rewrite one that does not, by hand if need be [NX-13]', () => {
    const linear = readLinear();
    const checked = found.filter((expression) => !allowedExpressions.has(literalOf(expression)));
    const before = linear.size;
    const slow = findSlowExpressions(checked, linear);
    mkdirSync(join(cache, '..'), { recursive: true });
    writeFileSync(cache, `${[...linear].sort().join('\n')}\n`);
    if (linear.size > before)
      // The check holds this thread until it is over, and a message to the reporter with it.
      writeSync(
        2,
        `${linear.size - before} regular expressions checked; a copy of ${cache} as ${known} spares others that.\n`,
      );
    const shown = slow.map((one) => `${one.path}:${one.line} ${one.complexity}: ${literalOf(one)}`);
    expect(shown).toEqual([]);
  }, 900_000);

  it('are built while the program runs in the files that say what from, and in no others [NX-13]', () => {
    const files = new Set(built.map(({ path }) => path));
    expect([...files].filter((path) => !builtExpressions.has(path))).toEqual([]);
    expect([...builtExpressions.keys()].filter((path) => !files.has(path))).toEqual([]);
  });

  it('stand on the list of exceptions only as long as they stand in the sources [NX-13]', () => {
    const literals = new Set(found.map(literalOf));
    expect([...allowedExpressions.keys()].filter((literal) => !literals.has(literal))).toEqual([]);
  });
});

describe('findSlowExpressions', () => {
  it.each([
    ['the rule of a table', String.raw`^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$`],
    ['the block of a summary', '```(?:json)?\\s*\\n([\\s\\S]*?)\\n\\s*```'],
    ['the mark of a fence', '^ {0,3}(`{3,}|~{3,})(.*)$'],
    ['the end of an address', String.raw`\/+$`],
    ['what is looked for ahead', 'x(?=a*a*$)'],
    ['what only ends after a look', '(?<=b)a+$'],
    ['one of several', '(?:b|a+a+c)$'],
  ])('finds %s, which was or would be slow [NX-13]', { tags: ['full'] }, (_, pattern) => {
    expect(findSlow(pattern)).toContain('polynomial');
  });

  it('finds what takes exponential time [NX-13]', () => {
    expect(findSlow('^(?:a|a)*$')).toBe('exponential');
    expect(findSlow('^(?:A|a)*$', 'i')).toBe('exponential');
  });

  it.each([
    [
      'the rule of a table',
      String.raw`^[ \t]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$`,
      '',
    ],
    ['the end of an address', String.raw`(?<!\/)\/+$`, ''],
    ['a counted repetition', '[a-z]{1,64}@', 'i'],
    ['lines', String.raw`^[ \t]*>`, 'gm'],
    ['a look ahead', String.raw`^ {0,3}(\`{3,}(?!\`)|~{3,}(?!~))`, ''],
  ])('clears %s as it should be written', (_, pattern, flags) => {
    expect(findSlow(pattern, flags)).toBeNull();
  });

  it('refuses references back, whose time nobody can bound [NX-13]', () => {
    expect(() => findSlow(String.raw`(a+)\1`)).toThrow('refers back');
  });
});
