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
