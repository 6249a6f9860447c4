import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';

const guide = await readFile(new URL('../../../docs/guides/discord-bot.md', import.meta.url), 'utf8');
const titles = new Map<string, readonly string[]>();
for (const name of await readdir(new URL('.', import.meta.url))) {
  if (!name.endsWith('.test.ts')) continue;
  const source = await readFile(new URL(name, import.meta.url), 'utf8');
  titles.set(
    name,
    [...source.matchAll(/\bit\('((?:[^'\\]|\\.)*)'/g)].map(([, title = '']) =>
      title.replace(/ \[[^\]]*\]$/, ''),
    ),
  );
}

/** What the guide names after "Twin:", as pairs of file and title. */
function listTwins(text: string): readonly (readonly [file: string, title: string])[] {
  return [...text.matchAll(/\*Twin:\*([\s\S]*?)(?:\n\n|$)/g)].flatMap(([, paragraph = '']) => {
    let file = '';
    return [...paragraph.matchAll(/`([\w/-]+\.test\.ts)`|"([^"]+)"/g)].flatMap(([, named, title]) => {
      file = named ?? file;
      return title === undefined ? [] : [[file, title.replaceAll(/\s+/g, ' ')] as const];
    });
  });
}

describe('the checks by hand in docs/guides/discord-bot.md', () => {
  it('name tests that there are [TC-55]', () => {
    const twins = listTwins(guide);
    expect(twins.length).toBeGreaterThan(12);
    expect(twins.filter(([file, title]) => !titles.get(file)?.includes(title))).toEqual([]);
  });

  it('leave out none of the tests that were written as twins [TC-55]', () => {
    const text = guide.replaceAll(/\s+/g, ' ');
    const written = titles.get('acceptance.test.ts') ?? [];
    expect(written.length).toBeGreaterThan(8);
    expect(written.filter((title) => !text.includes(`"${title}"`))).toEqual([]);
  });
});
