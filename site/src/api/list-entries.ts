import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** An entry point of a package, and the source behind it. */
export interface Entry {
  /** Name that it is imported by, such as `@agent/runner/models`. */
  readonly specifier: string;
  /** Path in the repository. */
  readonly source: string;
}

/** A package that others import from. */
export interface ApiPackage {
  readonly name: string;
  /** Folder in the repository, such as `packages/runner`. */
  readonly folder: string;
  readonly entries: readonly Entry[];
}

/** Lists the published libraries with every entry point that is published with them. */
export function listApiPackages(root: string): readonly ApiPackage[] {
  const folders = readdirSync(join(root, 'packages')).map((name) => `packages/${name}`);
  return folders.toSorted().map((folder) => {
    const { name, exports } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    return { name, folder, entries: listEntries(name, folder, exports) };
  });
}

/** Leaves out entry points without a built file: they are for this repository alone. */
function listEntries(
  name: string,
  folder: string,
  exports: Readonly<Record<string, unknown>>,
): readonly Entry[] {
  return Object.entries(exports).flatMap(([path, target]) => {
    const source =
      typeof target === 'object' && target !== null ? Reflect.get(target, '@agent/source') : null;
    if (typeof source !== 'string') return [];
    return [{ specifier: posix.join(name, path), source: posix.join(folder, source) }];
  });
}
