import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { repositoryRoot } from '../list-pages.ts';
import { formatApiPage, readEntries } from './format-api-page.ts';
import { listApiPackages } from './list-entries.ts';
import { readExports } from './read-exports.ts';

const root = mkdtempSync(join(tmpdir(), 'api-'));
afterEach(() => rmSync(join(root, 'src'), { recursive: true, force: true }));

const read = (files: Readonly<Record<string, string>>) => {
  mkdirSync(join(root, 'src'), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, 'src', name), text);
  return readExports(root, 'src/index.ts');
};

it('shows a function by its docstring and its signature, through any number of indexes [NX-387]', () => {
  const [found] = read({
    'index.ts': "export { outer as add } from './inner.ts';",
    'inner.ts': "export { sum as outer } from './sum.ts';",
    'sum.ts':
      '/**\n * Adds {@link Count}s.\n *\n * @example\n * sum(1, 2); // 3\n */\n// biome-ignore lint: shown\nexport function sum(one: number, other = 2): number {\n  return one + other;\n}\n',
  });
  expect(found).toEqual({
    name: 'add',
    signatures: ['function sum(one: number, other = 2): number'],
    text: 'Adds `Count`s.\n\n```ts\nsum(1, 2); // 3\n```',
    source: 'src/sum.ts',
  });
});

it('leaves out bodies, values with a written type, private members and implementations of overloads [NX-387]', () => {
  const found = read({
    'index.ts': "export { A, fixed, free, over } from './all.ts';\nexport { z } from 'zod';",
    'all.ts': [
      'export class A {',
      '  /** Hidden. */',
      '  readonly #one = 1;',
      '  /** Shown. */',
      '  two(): number {\n    return this.#one;\n  }',
      '  private three(): void {}',
      '}',
      'export const fixed: number = 1;',
      "export const free = z.literal('shown');",
      'export function over(a: string): void;',
      'export function over(a: unknown): void {}',
    ].join('\n'),
  });
  expect(found.map(({ name, signatures }) => [name, ...signatures])).toEqual([
    ['A', 'class A {\n  /** Shown. */\n  two(): number\n}'],
    ['fixed', 'const fixed: number;'],
    ['free', "const free = z.literal('shown');"],
    ['over', 'function over(a: string): void;'],
    ['z'],
  ]);
});

it('throws for a name that nothing declares, and for everything of a module [NX-387]', () => {
  expect(() => read({ 'index.ts': "export { gone } from './a.ts';", 'a.ts': '' })).toThrow(
    'declares no gone',
  );
  expect(() => read({ 'index.ts': "export * from './a.ts';", 'a.ts': '' })).toThrow('exports everything');
});

it('has a page for each published library, with every name of every entry point [NX-387]', () => {
  const libraries = listApiPackages(repositoryRoot);
  expect(libraries.length).toBeGreaterThan(10);
  for (const library of libraries) {
    const entries = readEntries(repositoryRoot, library);
    const page = formatApiPage(library, entries);
    for (const { entry, exports } of entries) {
      expect(exports.length, entry.specifier).toBeGreaterThan(0);
      expect(page).toContain(`## \`${entry.specifier}\``);
      for (const { name } of exports) expect(page).toContain(`### \`${name}\``);
    }
  }
});
