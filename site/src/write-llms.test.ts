import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeSections } from './navigation.ts';
import { writeLlms } from './write-llms.ts';

it('names every page and has the text of those for users, in their order [NX-386]', () => {
  const folder = mkdtempSync(join(tmpdir(), 'llms-'));
  const pages = ['guides/page.md', 'start.md', 'decisions/0001-a.md'].map((route) => ({
    route,
    text: `# ${route}\n`,
  }));
  const sections = makeSections(pages.map(({ route }) => ({ route, title: route })));
  writeLlms(folder, '/docs/', { sections, pages });
  expect(readFileSync(join(folder, 'llms.txt'), 'utf8').match(/\(.*\)/g)).toEqual([
    '(/docs/start)',
    '(/docs/guides/page)',
    '(/docs/decisions/0001-a)',
  ]);
  expect(readFileSync(join(folder, 'llms-full.txt'), 'utf8')).toBe('# start.md\n\n---\n\n# guides/page.md\n');
  rmSync(folder, { recursive: true });
});
