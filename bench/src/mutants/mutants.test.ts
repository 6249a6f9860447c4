import { describe, expect, it } from 'vitest';
import { listArea, listTestsOf, mapImporters } from './areas.ts';
import { formatVerdicts } from './format-verdicts.ts';
import { applyMutant, drawMutants, listMutants } from './list-mutants.ts';
import { runMutants } from './run-mutants.ts';

const text = 'export function f(a: number): number {\n  if (!a) return 0;\n  log(a);\n  return a + 1;\n}\n';
const file = 'packages/runner/src/f.ts';

describe('listMutants', () => {
  it('changes conditions, swaps operators and leaves statements out', () => {
    const changed = listMutants(file, text).map((mutant) => {
      const lines = applyMutant(text, mutant).split('\n');
      return `${mutant.kind}: ${lines[mutant.line - 1]?.trim()}`;
    });
    expect(changed).toEqual([
      'condition: if (true) return 0;',
      'condition: if (false) return 0;',
      'condition: if ((a)) return 0;',
      'dropped statement: {}',
      'operator: return (a - 1);',
    ]);
  });

  it('leaves types, imports and calls to super alone', () => {
    const typed =
      "import { a } from './a.ts';\ntype T = A extends B ? 1 : 2;\nclass K extends L { constructor() { super(); } }";
    expect(listMutants(file, typed)).toEqual([]);
  });
});

describe('drawMutants', () => {
  it('draws the same ones for the same seed, none twice, and no more than there are', () => {
    const all = listMutants(file, text);
    const drawn = drawMutants(all, { count: 3, seed: 14 });
    expect(drawn).toEqual(drawMutants(all, { count: 3, seed: 14 }));
    expect(new Set(drawn).size).toBe(3);
    expect(drawn).not.toEqual(drawMutants(all, { count: 3, seed: 15 }));
    expect(drawMutants(all, { count: 99, seed: 1 })).toHaveLength(all.length);
  });
});

describe('areas', () => {
  const sources = new Map([
    ['packages/text/src/index.ts', "export { cut } from './cut.ts';"],
    ['packages/text/src/cut.ts', 'export const cut = 1;'],
    ['packages/text/src/cut.test.ts', "import { cut } from './cut.ts';"],
    ['packages/runner/src/trust.ts', "import { cut } from '@agent/text';"],
    ['packages/runner/src/trust.test.ts', "import { trust } from './trust.ts';"],
    ['packages/runner/src/types.test.ts', "import type { Trust } from './trust.ts';"],
    ['packages/runner/test/trust-setup.ts', "import { trust } from '../src/trust.ts';"],
    ['packages/runner/test/trust-contract.test.ts', "import { setUp } from './trust-setup.ts';"],
  ]);

  it('are a concern or a folder, without tests, texts and indexes', () => {
    expect(listArea('authority', sources)).toEqual(['packages/runner/src/trust.ts']);
    expect(listArea('packages/runner', sources)).toEqual(['packages/runner/src/trust.ts']);
    expect(listArea('packages/text', sources)).toEqual(['packages/text/src/cut.ts']);
    expect(() => listArea('packages/nothing', sources)).toThrow('No area packages/nothing');
  });

  it('know the tests that reach a source, the nearest first, through packages but not through types', () => {
    const importers = mapImporters(sources);
    expect(listTestsOf('packages/text/src/cut.ts', importers)).toEqual([
      'packages/text/src/cut.test.ts',
      'packages/runner/src/trust.test.ts',
      'packages/runner/test/trust-contract.test.ts',
    ]);
    expect(listTestsOf('packages/runner/src/nowhere.ts', importers)).toEqual([]);
  });
});

describe('formatVerdicts', () => {
  it('counts what was killed, and shows what survived', () => {
    const mutants = listMutants(file, text);
    const outcomes = ['killed', 'missed', 'stuck', 'untested', 'open'] as const;
    expect(formatVerdicts({ area: 'runner', seed: '14', mutants, outcomes }, new Map([[file, text]]))).toBe(
      `# mutants of runner, seed 14: 2 of 4 killed (50 %), 1 not tried in time

conditions: 2 of 3 killed (67 %); operators: 0 of 0 killed; dropped statements: 0 of 1 killed (0 %)

packages/runner/src/f.ts:2: !a → false
packages/runner/src/f.ts:3: without log(a); (no unit test reaches it)
`,
    );
  });
});

describe('runMutants', () => {
  it('tells a change that a unit test notices from one that none reaches', {
    tags: ['release'],
  }, async () => {
    const change = {
      line: 1,
      kind: 'dropped statement',
      start: 0,
      end: 1_000_000,
      replacement: 'export {};',
    } as const;
    const outcomes = await runMutants(
      ['packages/text/src/fit-text.ts', 'packages/text/src/nowhere.ts'].map((path) => ({
        ...change,
        file: path,
      })),
      { mutantMs: 60_000, totalMs: 60_000, onVerdict: () => {} },
    );
    expect(outcomes).toEqual(['killed', 'untested']);
  });
});
