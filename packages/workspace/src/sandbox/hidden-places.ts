import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isInside } from './find-executable.ts';
import type { ShownPlace } from './sandbox-arguments.ts';

/** Where people keep what opens something, below a home. */
const secretPlaces = [
  ...[
    '.ssh',
    '.gnupg',
    '.aws',
    '.azure',
    '.config',
    '.docker',
    '.kube',
    '.fly',
    '.local/share',
    '.password-store',
  ],
  ...[
    '.netrc',
    '.npmrc',
    '.pypirc',
    '.pgpass',
    '.git-credentials',
    '.yarnrc.yml',
    '.vault-token',
    '.m2/settings.xml',
  ],
  ...['.cargo/credentials', '.cargo/credentials.toml', '.gem/credentials', '.gradle/gradle.properties'],
];

/** Names of such files wherever they lie. */
const secretName =
  /^(\.env(\..*)?|\.?credentials?(\..*)?|config\.(json|ya?ml|toml|ini)|\.npmrc|\.netrc|\.pypirc|\.pgpass|\.git-credentials|\.yarnrc\.yml|\.(ssh|gnupg|aws|azure|docker|kube|fly)|id_(rsa|dsa|ecdsa|ed25519)|agent\.config\.ya?ml)$/i;

export interface HiddenPlaces {
  readonly hiddenDirectories: readonly string[];
  readonly hiddenFiles: readonly string[];
}

/**
 * Finds what lies inside shown places and must not be seen: the daemon's own files, and other programs' secrets; under
 * every path that shows it.
 */
export async function listHiddenPlaces(options: {
  readonly system: readonly string[];
  /** May hold anything, so that it is searched for secrets: tools, not the system. */
  readonly shown: readonly ShownPlace[];
  readonly hidden: readonly string[];
  readonly homes: readonly string[];
}): Promise<HiddenPlaces> {
  const { system, shown, homes, hidden } = options;
  const named = homes.flatMap((home) => secretPlaces.map((place) => join(home, place)));
  const found = await Promise.all(shown.map(({ source }) => findSecrets(source)));
  const places = [...shown, ...system.map((path) => ({ path, source: path }))];
  const hiddenDirectories: string[] = [];
  const hiddenFiles: string[] = [];
  for (const real of await existing([...hidden, ...named, ...found.flat()])) {
    const list = (await stat(real)).isDirectory() ? hiddenDirectories : hiddenFiles;
    const showing = places.filter(({ source }) => isInside(source, real));
    list.push(...showing.map(({ path, source }) => path + real.slice(source.length)));
  }
  return {
    hiddenDirectories: [...new Set(hiddenDirectories)],
    hiddenFiles: [...new Set(hiddenFiles)],
  };
}

async function findSecrets(directory: string): Promise<readonly string[]> {
  const names = await readdir(directory).catch(() => []);
  return names.filter((name) => secretName.test(name)).map((name) => join(directory, name));
}

/** Real paths of those that exist, each once. */
export async function existing(paths: readonly string[]): Promise<readonly string[]> {
  const real = await Promise.all(paths.map((path) => realpath(path).catch(() => null)));
  return [...new Set(real.filter((path): path is string => path !== null))];
}
