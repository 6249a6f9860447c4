import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';

const guide = await readFile(new URL('../../../docs/guides/discord-bot.md', import.meta.url), 'utf8');
const titles = new Map<string, readonly RegExp[]>();
for (const name of await readdir(new URL('.', import.meta.url))) {
  if (!name.endsWith('.test.ts')) continue;
  const source = await readFile(new URL(name, import.meta.url), 'utf8');
  // Every title ends in the ids of what it shows.
  const found = source.matchAll(/'((?:[^'\\\n]|\\.)*) \[(?:TC|NX|D\d)[^\]\n]*\]'/g);
  titles.set(
    name,
    Array.from(found, ([, title = '']) => toPattern(title)),
  );
}

/** A title of several tests stands for each of them. */
function toPattern(title: string): RegExp {
  const escaped = title.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('%s', '.+')}$`);
}

/** By number: what the guide names after "Twin:", as pairs of file and title. */
function listTwins(text: string): ReadonlyMap<string, readonly (readonly [file: string, title: string])[]> {
  const [, checks = ''] = text.split('## Checks by hand');
  const parts = checks.split(/^\*\*(?=\d+\. )|^## /m).slice(1);
  return new Map(
    parts.filter((part) => /^\d/.test(part)).map((part) => [part.split('.')[0] ?? '', readTwins(part)]),
  );
}

function readTwins(check: string): readonly (readonly [file: string, title: string])[] {
  let file = '';
  const [, twins = ''] = check.split('*Twin:*');
  return [...twins.matchAll(/`([\w/-]+\.test\.ts)`|"([^"]+)"/g)].flatMap(([, named, title]) => {
    file = named ?? file;
    return title === undefined ? [] : [[file, title.replaceAll(/\s+/g, ' ')] as const];
  });
}

describe('the checks by hand in docs/guides/discord-bot.md', () => {
  const twins = listTwins(guide);

  it('each have a test that does the same [TC-55]', () => {
    expect([...twins.keys()]).toEqual(Array.from({ length: 12 }, (_, index) => String(index + 1)));
    expect([...twins].filter(([, named]) => named.length === 0)).toEqual([]);
  });

  it('name tests that there are [TC-55]', () => {
    const unknown = [...twins.values()]
      .flat()
      .filter(([file, title]) => titles.get(file)?.some((pattern) => pattern.test(title)) !== true);
    expect(unknown).toEqual([]);
  });
});
