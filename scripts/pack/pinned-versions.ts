import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../workspace/root.ts';

/** Versions by package name. */
export type Versions = Readonly<Record<string, string>>;

/**
 * The packages that pnpm-lock.yaml holds in one version only. A project that overrides its dependencies with
 * them gets what was tested here, not what was published this morning.
 */
export function readPinnedVersions(): Versions {
  return parsePinnedVersions(readFileSync(join(repositoryRoot, 'pnpm-lock.yaml'), 'utf8'));
}

/** Reads the keys below `packages:`, such as `'@octokit/rest@22.0.1':`. */
export function parsePinnedVersions(lockfile: string): Versions {
  const section = /^packages:\n([\s\S]*?)(?=^\S)/m.exec(`${lockfile}\nend:`)?.[1] ?? '';
  const keys = [...section.matchAll(/^ {2}'?(@?[^@'\s]+)@([^:'\s]+)'?:$/gm)];
  const versions = new Map<string, string[]>();
  for (const [, name = '', version = ''] of keys)
    versions.set(name, [...(versions.get(name) ?? []), version]);
  return Object.fromEntries(
    [...versions].flatMap(([name, [only, ...others]]) =>
      only !== undefined && others.length === 0 ? [[name, only]] : [],
    ),
  );
}
