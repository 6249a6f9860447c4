import { describe, expect, it } from 'vitest';
import { parseRequirements } from '../requirements/parse-requirements.ts';
import { formatDecisionIndex } from './decision-index.ts';
import { replaceGenerated } from './generated-part.ts';
import { findWorseFigures, improveFigures } from './house-report.ts';
import { listProblems } from './list-problems.ts';
import { isWorse, type Measure, measureHouse } from './measures.ts';
import { findSingleImporters } from './single-importers.ts';
import { findUnresolvedIds } from './unresolved-ids.ts';

const files: Measure = { name: 'files', value: 12, better: 'less', aim: 5 };

describe('isWorse', () => {
  it.each([
    [12, 11, true],
    [12, 12, false],
    [11, 12, false],
    [5, 3, false],
    [6, 3, true],
  ])('a figure that should be small, %i after %i: %s', (value, before, expected) => {
    expect(isWorse({ ...files, value }, before)).toBe(expected);
  });

  it.each([
    [47, 48, true],
    [48, 47, false],
    [61, 70, false],
  ])('a figure that should be large, %i after %i: %s', (value, before, expected) => {
    expect(isWorse({ name: 'median', value, better: 'more', aim: 60 }, before)).toBe(expected);
  });
});

describe('own imports', () => {
  it('are statements that import modules of ours, not the names that an index offers again', () => {
    const text = [
      "import { a, b } from './a.ts';",
      "import type { C } from '@agent/text';",
      "import { z } from 'zod';",
      "export { d, e, f } from './d.ts';",
      "export const later = () => import('./later.ts');",
    ];
    const tree = new Map([['packages/runner/src/x.ts', text.join('\n')]]);
    const figure = measureHouse(tree, new Map()).find(({ name }) => name === 'own imports per 1,000 lines');
    expect(figure?.value).toBe((3 * 1_000) / 5);
  });
});

describe('listProblems', () => {
  it('lists each place that a figure counts, in sources and documents', () => {
    const tree = new Map([['packages/runner/src/x.ts', "export const x = 'begins anew here';\n"]]);
    expect(listProblems(tree, new Map([['docs/a.md', 'It is told.']]))).toEqual([
      'packages/runner/src/x.ts:1: "anew": write again, from scratch',
      'docs/a.md:1: "is told": write receives, is sent, is shown',
    ]);
  });
});

describe('figures', () => {
  it('say what became worse, from what to what', () => {
    expect(findWorseFigures([files], { files: 11 })).toEqual([
      'files: 12, was 11; `npm run house -- --list` says where',
    ]);
    expect(findWorseFigures([files], {})).toEqual([]);
  });

  it('take over what became better, and what became worse only by name', () => {
    expect(improveFigures([files], { files: 13, gone: 1 }, new Set())).toEqual({ files: 12 });
    expect(improveFigures([files], { files: 11 }, new Set())).toEqual({ files: 11 });
    expect(improveFigures([files], { files: 11 }, new Set(['files']))).toEqual({ files: 12 });
  });
});

describe('findSingleImporters', () => {
  const importing = "import { a } from './a.ts';\nimport { b } from './tools/b.ts';\n";
  const sources = {
    'packages/runner/src/a.ts': 'export const a = 1;\n',
    'packages/runner/src/tools/b.ts': 'export const b = 1;\n',
    'packages/runner/src/c.ts': `${importing}export const c = await import('./lazy.ts');\n`,
    'packages/runner/src/lazy.ts': 'export const lazy = 1;\n',
    'packages/runner/src/index.ts': "export { c } from './c.ts';\n",
  };

  it('finds a small module that one other imports, but for tools, lazy ones and what is offered', () => {
    expect(findSingleImporters(new Map(Object.entries(sources)))).toEqual([
      { path: 'packages/runner/src/a.ts', message: '1 lines that packages/runner/src/c.ts alone imports' },
    ]);
  });

  it('leaves what several import, and what is long', () => {
    const second = { ...sources, 'packages/runner/src/d.ts': importing };
    expect(findSingleImporters(new Map(Object.entries(second)))).toEqual([]);
    const long = { ...sources, 'packages/runner/src/a.ts': 'export const a = 1;\n'.repeat(61) };
    expect(findSingleImporters(new Map(Object.entries(long)))).toEqual([]);
  });
});

describe('decisions', () => {
  const markdown = '## B: decisions about seed 001\n\n| B2 | behaviour | Waits; then goes. And more. |\n';

  it('are listed with their first sentence and the pages that explain them', () => {
    const documents = new Map([
      ['docs/decisions/0002-two.md', '# 0002: Two\n\nAs B2 says.'],
      ['docs/decisions/0001-one.md', '# 0001 One\n\nNot B21.'],
      ['docs/other.md', 'B2'],
    ]);
    expect(formatDecisionIndex(markdown, parseRequirements(markdown), documents)).toBe(`## Pages

- [0001](0001-one.md) One
- [0002](0002-two.md) Two

## [B: decisions about seed 001](../requirements.md#b-decisions-about-seed-001)

| id | begins | pages |
|---|---|---|
| B2 | Waits … | [0002](0002-two.md) |
`);
  });

  it('that do not exist are found in comments and documents, not in code', () => {
    const tree = new Map([
      ['a.ts', "// See B2, B3 and CD-99.\nconst label = 'A9';"],
      ['b.md', 'UTF-8, E0100, `&#A1;` and X77'],
    ]);
    expect(findUnresolvedIds(tree, new Set(['B2'])).map(({ path, message }) => `${path} ${message}`)).toEqual(
      [
        'a.ts:1 B3 has no row in docs/requirements.md',
        'a.ts:1 CD-99 has no row in docs/requirements.md',
        'b.md:1 X77 has no row in docs/requirements.md',
      ],
    );
  });

  it('and figures are written between two marks, or not at all', () => {
    const marked =
      'a\n<!-- generated: npm run house -- --write -->\nold\n<!-- end of what is generated -->\nb\n';
    expect(replaceGenerated(marked, 'new')).toBe(
      'a\n<!-- generated: npm run house -- --write -->\n\nnew\n\n<!-- end of what is generated -->\nb\n',
    );
    expect(() => replaceGenerated('a', 'new')).toThrow('lacks the lines');
  });
});
