import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { toVerdict } from '../format-report.ts';
import { toFlowsReport } from './flows-report.ts';
import { markEntries } from './mark-entries.ts';
import { cutFlow, type Entry, firstEntry, lastEntry, readTrace } from './read-trace.ts';

const entry = (at: number, file: string, name = 'run'): Entry => ({ at, file, name });

describe('markEntries', () => {
  it('lets each function tell of its entry and leaves every line where it was', () => {
    const names: string[] = [];
    const text = [
      'const f = (a: A) => (b: B) => ({ a, b });',
      'function g(): X {',
      '  return [1].map((x) => x as Y);',
      '}',
      'class K { m() {} readonly p = () => 1; constructor() { super(); } }',
    ];
    const marked = markEntries('a.ts', text.join('\n'), (name) => names.push(name) - 1);
    expect(marked.split('\n')).toEqual([
      'const f = (a: A) => (enterFunction(0), (b: B) => (enterFunction(1), ({ a, b })));',
      'function g(): X {enterFunction(2);',
      '  return [1].map((x) => (enterFunction(3), x as Y));',
      '}',
      'class K { m() {enterFunction(4);} readonly p = () => (enterFunction(5), 1); constructor() {enterFunction(6); super(); } }',
    ]);
    expect(names).toEqual(['f', 'line 1', 'g', 'line 3', 'm', 'p', 'constructor']);
  });
});

describe('a trace', () => {
  it('is read in the order of time, without the line that a kill cut off', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'trace-'));
    try {
      const file = join(directory, 'trace.tsv');
      await writeFile(file, '2.5\tb.ts\tg\n1.5\ta.ts\tf\n3.5\tc.');
      expect(readTrace(file)).toEqual([entry(1.5, 'a.ts', 'f'), entry(2.5, 'b.ts', 'g')]);
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  it('gives the files between two moments, each once, without what stands beside every flow', () => {
    const entries = [
      entry(1, 'before.ts'),
      entry(2, 'packages/runner/src/a.ts'),
      entry(3, 'packages/runner/src/a.ts', 'other'),
      entry(3, 'packages/orchestrator/src/board/reduce.ts'),
      entry(4, 'packages/text/src/tokens/estimate-tokens.ts'),
      entry(5, 'packages/runner/src/b.ts'),
      entry(6, 'after.ts'),
    ];
    expect(cutFlow(entries, 2, 5)).toEqual({
      files: ['packages/runner/src/a.ts', 'packages/runner/src/b.ts'],
      functions: 3,
    });
    expect(firstEntry(entries, /runner/, 2.5)).toBe(3);
    expect(lastEntry(entries, /runner/, 4)).toBe(3);
    expect(firstEntry(entries, /nowhere/, 0)).toBeNull();
  });
});

describe('the report on flows', () => {
  it('holds the number of files against what is aimed at, where something is', () => {
    const flow = { name: 'one', files: ['a.ts', 'b.ts'], functions: 2 };
    const { goals, tables } = toFlowsReport([
      { ...flow, aim: 2 },
      { ...flow, aim: 1 },
      { ...flow, aim: null },
    ]);
    expect(goals.map(toVerdict)).toEqual(['met', 'missed']);
    expect(tables[0]?.rows).toEqual(Array(3).fill(['one', 2, 2]));
    expect(tables[1]?.rows).toEqual([
      [1, 'a.ts'],
      [2, 'b.ts'],
    ]);
  });
});
