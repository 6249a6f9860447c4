import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('the root of @agent/platforms imports nothing but its own files, types included', () => {
  const files = readdirSync(import.meta.dirname).filter((name) => /(?<!\.test)\.ts$/u.test(name));
  const imported = files.flatMap((name) => {
    const text = readFileSync(`${import.meta.dirname}/${name}`, 'utf8');
    return [...text.matchAll(/(?:from|import\() ?'([^']+)'/gu)].map(([, specifier]) => specifier ?? '');
  });
  expect(imported.length).toBeGreaterThan(files.length);
  expect(imported.filter((specifier) => !/^\.\/[\w-]+\.ts$/u.test(specifier))).toEqual([]);
});
