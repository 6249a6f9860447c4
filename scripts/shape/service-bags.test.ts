import { describe, expect, it } from 'vitest';
import { findServiceBags } from './service-bags.ts';

const nine = 'abcdefghi'.split('').map((name) => `readonly ${name}: () => void`);
const port = 'export interface Port { readonly ask: () => void }';

function treeOf(
  functions: string,
  type = `export interface Bag { ${nine.join('; ')} }`,
): ReadonlyMap<string, string> {
  return new Map([
    ['packages/runner/src/port.ts', port],
    ['packages/runner/src/bag.ts', type],
    ['packages/runner/src/use.ts', `import type { Bag } from './bag.ts';\n${functions}`],
  ]);
}

describe('findServiceBags', () => {
  it('finds who reads less than half of more than eight functions and parts, through an import', () => {
    expect(findServiceBags(treeOf('function use(bag: Bag) { bag.a(); bag.b(); }'))).toEqual([
      {
        path: 'packages/runner/src/use.ts:2',
        message: 'Bag holds 9 functions and parts, 2 of them read',
      },
    ]);
  });

  it.each([
    'function use(bag: Bag) { bag.a(); bag.b(); bag.c(); bag.d(); other(bag); }',
    'const use = (bag: Bag) => other({ ...bag, x: 1 });',
    'const use = ({ a, b, c, d, e, ...others }: Bag) => other(others);',
    'class Use { #bag: Bag; constructor(bag: Bag) { this.#bag = bag; } }',
    'const use = async (bag: Readonly<Bag>) => other(bag);',
    "const use = (bag: Omit<Bag, 'z'>) => other(bag);",
  ])('finds who hands it on whole: %s', (functions) => {
    expect(findServiceBags(treeOf(functions))).toMatchObject([
      { message: expect.stringMatching('handed on whole') },
    ]);
  });

  it.each([
    'const use = ({ a, b, c, d, e }: Bag) => a(b, c, d, e);',
    'function use(bag: Bag) { bag.a(bag.b, bag.c, bag.d); return { e: bag.e }; }',
    'function use(bag: Bag) { const { a, b, c, d, e } = bag; a(b, c, d, e); }',
    "const use = (bag: Pick<Bag, 'a' | 'b'>) => other(bag);",
  ])('lets pass who reads half of it, or asks for less: %s', (functions) => {
    expect(findServiceBags(treeOf(functions))).toEqual([]);
  });

  it('counts functions, parts and classes, but no data', () => {
    const data = 'abcdefghi'.split('').map((name) => `readonly ${name}: string | readonly number[]`);
    const parts = 'abcdefghi'.split('').map((name) => `readonly ${name}: Port | null`);
    const use = 'const use = (bag: Bag) => other(bag);';
    expect(findServiceBags(treeOf(use, `export interface Bag { ${data.join('; ')} }`))).toEqual([]);
    const withParts = `import type { Port } from './port.ts';\nexport type Bag = { ${parts.join('; ')} };`;
    expect(findServiceBags(treeOf(use, withParts))).toHaveLength(1);
  });
});
