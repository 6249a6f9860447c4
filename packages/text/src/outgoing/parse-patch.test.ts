import { expect, it } from 'vitest';
import { parsePatch, readPathAt, toPatch } from './parse-patch.ts';

it('reads what a patch adds, whatever the lines look like [NX-40]', () => {
  const patch = [
    'diff --git a/src/a.txt b/src/a.txt',
    'index 1..2 100644',
    '--- a/src/a.txt',
    '+++ b/src/a.txt',
    '@@ -2 +2,4 @@ one',
    '-two',
    '+++ b/x',
    '+@@ -1 +1 @@',
    '+-- a/y',
    '+diff --git a/z b/z',
    'diff --git "a/with space \\"q\\".txt" "b/with space \\"q\\".txt"',
    'new file mode 100644',
    '--- /dev/null',
    '+++ "b/with space \\"q\\".txt"',
    '@@ -0,0 +1 @@',
    '+last',
    '\\ No newline at end of file',
    '',
  ].join('\n');
  const files = [...parsePatch(Buffer.from(patch))].map(({ path, bytes, lineOf }) => {
    const text = String(bytes);
    return { path, text, lineNumbers: text.split('\n').map((_, row) => lineOf(row)) };
  });
  expect(files).toEqual([
    { path: 'src/a.txt', text: '++ b/x\n@@ -1 +1 @@\n-- a/y\ndiff --git a/z b/z', lineNumbers: [2, 3, 4, 5] },
    { path: '"with space \\"q\\".txt"', text: 'last', lineNumbers: [1] },
  ]);
});

it('takes no removed line for an added one, and numbers each line by the hunk that it is in [NX-40]', () => {
  const patch = [
    'diff --git a/a.txt b/a.txt',
    '--- a/a.txt',
    '+++ b/a.txt',
    '@@ -3,2 +2,0 @@ gone',
    '-@@ -1 +1 @@',
    '-diff --git a/z b/z',
    '@@ -10 +7,2 @@',
    '-ten',
    '+seven',
    '+eight',
    '@@ -40,0 +38 @@',
    '+thirty-eight',
    'diff --git a/b.txt b/b.txt',
    '--- a/b.txt',
    '+++ b/b.txt',
    '@@ -1,2 +0,0 @@',
    '-one',
    '-two',
    '',
  ].join('\n');
  const [changed, emptied] = [...parsePatch(Buffer.from(patch))];
  expect(String(changed?.bytes)).toBe('seven\neight\nthirty-eight');
  expect([0, 1, 2].map((row) => changed?.lineOf(row))).toEqual([7, 8, 38]);
  expect([emptied?.path, String(emptied?.bytes)]).toEqual(['b.txt', '']);
});

it('joins what git wrote in parts, as far as it is looked through [NX-40]', () => {
  const chunks = ['0123456789', 'abcdefghij', 'ABC'].map((text) => Buffer.from(text));
  expect(Buffer.from(toPatch(chunks, 15).bytes).toString()).toBe('0123456789abcde');
  expect(toPatch(chunks, 22).isCut).toBe(true);
  expect(toPatch(chunks, 23)).toMatchObject({ isCut: false, bytes: { length: 23 } });
});

it('names the file of a patch that is cut after its first line [NX-40]', () => {
  const line = 'diff --git a/src/a.txt b/src/a.txt';
  for (const patch of [line, `${line}\nindex 1..2 100644`]) {
    expect(readPathAt(Buffer.from(patch), 0)).toBe('src/a.txt');
    expect(readPathAt(Buffer.from(`${line}x\n${patch}`), line.length + 2)).toBe('src/a.txt');
  }
});
