import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../workspace/root.ts';
import type { Versions } from './pinned-versions.ts';

/** What published packages depend on, as the catalog `published` of pnpm-workspace.yaml says it: ranges by name. */
export function readPublishedRanges(): Versions {
  const text = readFileSync(join(repositoryRoot, 'pnpm-workspace.yaml'), 'utf8');
  const section = /^catalogs:\n {2}published:\n((?: {4}\S.*\n)+)/m.exec(text)?.[1] ?? '';
  const lines = [...section.matchAll(/^ {4}'?([^':\s]+(?:\/[^':\s]+)?)'?: (\S+)$/gm)];
  return Object.fromEntries(lines.map(([, name = '', range = '']) => [name, range]));
}

/** The lowest versions that ranges such as `^4.1.8` and `>=22.12` name. */
export function toLowest(ranges: Versions): Versions {
  return Object.fromEntries(Object.entries(ranges).map(([name, range]) => [name, toLowestVersion(range)]));
}

/** `^4.1.8` is `4.1.8`, `>=22.12` is `22.12.0`; of several, the last. */
export function toLowestVersion(range: string): string {
  const [major = '', minor = '0', patch = '0'] = (range.split('||').at(-1) ?? range)
    .trim()
    .replace(/^(?:\^|>=)/, '')
    .split('.');
  return [major, minor, patch].join('.');
}
