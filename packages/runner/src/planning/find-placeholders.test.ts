import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findPlaceholders } from './find-placeholders.ts';

/** Diff that adds lines to one file, below two that stand already. */
const adds = (lines: readonly string[], path = 'src/cart.ts') =>
  [
    `diff --git a/${path} b/${path}`,
    'index 1..2 100644',
    `--- a/${path}`,
    `+++ b/${path}`,
    `@@ -1,2 +1,${2 + lines.length} @@ head`,
    ' const a = 1;',
    ' const b = 2;',
    ...lines.map((line) => `+${line}`),
    '',
  ].join('\n');
const kindsOf = (lines: readonly string[], path?: string) =>
  findPlaceholders(adds(lines, path)).found.map(({ kind }) => kind);

describe('findPlaceholders', () => {
  it.each([
    ['// TODO: round', 'reminder'],
    ['return total; // FIXME', 'reminder'],
    ['// 未実装', 'reminder'],
    ['# あとで実装する', 'reminder'],
    ['# implementation here', 'implementation-here'],
    ['// Your code goes here', 'implementation-here'],
    ['/* implement this */', 'implementation-here'],
    ['  ...', 'ellipsis'],
    ["'...'", 'ellipsis'],
    ['return "...";', 'ellipsis'],
    ['// ... rest as before', 'ellipsis'],
    ['    raise NotImplementedError', 'not-implemented'],
    ['raise   NotImplementedError("later")', 'not-implemented'],
    ["throw new Error('not implemented');", 'not-implemented'],
    ['throw new UnsupportedOperationException("Not yet implemented");', 'not-implemented'],
    ['panic("not implemented")', 'not-implemented'],
    ['todo!()', 'not-implemented'],
  ])('finds %j [NX-118]', (line, kind) => {
    expect(findPlaceholders(adds(['const c = 3;', line]))).toEqual({
      count: 1,
      found: [{ path: 'src/cart.ts', line: 4, kind }],
    });
  });

  it.each([
    'const sum = add(...numbers);',
    '  ...rest,',
    'class TodoList {}',
    "import { todos } from './todos.ts';",
    'const isNotImplemented = false;',
    'passed = True',
  ])('leaves %j alone', (line) => {
    expect(kindsOf([line])).toEqual([]);
  });

  it('finds a bare pass that is all of a body, and no other', () => {
    const isPass = (lines: readonly string[]) => kindsOf(lines, 'app/cart.py');
    expect(isPass(['def total(items):', '    pass'])).toEqual(['empty-body']);
    expect(isPass(['def total(items):', '    pass  # later', '', 'x = 1'])).toEqual(['empty-body']);
    expect(isPass(['if x:', '    pass', 'else:', '    y()'])).toEqual(['empty-body']);
    expect(isPass(['def total(items):', '    pass', '    return 1'])).toEqual([]);
    expect(isPass(['class Gone(Exception):', '    pass'])).toEqual([]);
    expect(isPass(['except KeyError:', '    pass'])).toEqual([]);
    expect(kindsOf(['def total(items):', '    pass'], 'app/cart.txt')).toEqual([]);
  });

  it('sees only what is added: no context, nothing taken out, nothing that only moved [NX-118]', () => {
    const diff = [
      '--- a/a.ts',
      '+++ b/a.ts',
      '@@ -1,3 +1,3 @@',
      ' // TODO stays',
      '-// TODO goes',
      '-  // TODO moves',
      '+// TODO moves',
      '+// TODO is new',
    ].join('\n');
    expect(findPlaceholders(diff)).toEqual({
      count: 1,
      found: [{ path: 'a.ts', line: 3, kind: 'reminder' }],
    });
  });

  it('takes no line of a file for one of the diff', () => {
    const diff = [
      'diff --git "a/\\303\\244.md" "b/\\303\\244.md"',
      '--- /dev/null',
      '+++ "b/\\303\\244.md"',
      '@@ -0,0 +1,3 @@',
      '+++ b/elsewhere.ts',
      '+@@ -1 +90 @@',
      '+TODO',
      '\\ No newline at end of file',
    ].join('\n');
    expect(findPlaceholders(diff).found).toEqual([{ path: '\\303\\244.md', line: 3, kind: 'reminder' }]);
  });

  it('names fifty, and counts all', () => {
    const { count, found } = findPlaceholders(adds(Array.from({ length: 3_000 }, () => 'TODO')));
    expect({ count, named: found.length }).toEqual({ count: 3_000, named: 50 });
  });

  it('takes any text for a diff without harm [NX-118]', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 2_000 }), (text) => {
        expect(findPlaceholders(text).found.length).toBeLessThanOrEqual(50);
        expect(findPlaceholders(`--- a\n+++ b\n@@ -1,9 +1,9 @@\n${text}`).count).toBeLessThanOrEqual(9);
      }),
    );
  });
});
