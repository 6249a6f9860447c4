import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { repositoryRoot } from './list-pages.ts';

const read = (path: string): string => readFileSync(join(repositoryRoot, path), 'utf8');

it('tells readers of the Japanese start page the same commands and settings as the English one [NX-389]', () => {
  const blocks = (path: string) => read(path).match(/^```[\s\S]*?^```/gm) ?? [];
  expect(blocks('docs/start.md').length).toBeGreaterThan(3);
  expect(blocks('docs/ja/start.md')).toEqual(blocks('docs/start.md'));
});

it('shows in recipes the code that the tests of its example run [NX-388]', () => {
  const pages = readdirSync(join(repositoryRoot, 'docs/recipes'));
  const shown = pages.flatMap((page) => [
    ...read(`docs/recipes/${page}`).matchAll(/^```ts \[(.+)\]\n([\s\S]*?)^```/gm),
  ]);
  expect(shown.length).toBeGreaterThan(1);
  for (const [, path = '', code = ''] of shown) expect(read(path)).toContain(code);
});
