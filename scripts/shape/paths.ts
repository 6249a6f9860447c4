import type { SourceTree } from './source-tree.ts';

/** Code, as opposed to texts and manifests. */
export function isCode(path: string): boolean {
  return /\.m?[jt]s$/.test(path);
}

export function isTest(path: string): boolean {
  return path.endsWith('.test.ts');
}

/** Code of the product: in the `src` of a package or an app, without its tests and without the simulators. */
export function isPublished(path: string): boolean {
  return /^(?:packages\/(?!simulators\/)|apps\/)[^/]+\/src\//.test(path) && isCode(path) && !isTest(path);
}

/** Code that others import by name: what is published, and the simulators. */
export function isOffered(path: string): boolean {
  return isPublished(path) || (path.startsWith('packages/simulators/src/') && isCode(path) && !isTest(path));
}

/** `packages/runner` for everything in it; null outside the workspace's members. */
export function memberOf(path: string): string | null {
  return (
    /^(?:packages|apps|examples)\/[^/]+(?=\/)|^(?:trials|bench|site)(?=\/)|^scripts(?=\/)/.exec(path)?.[0] ??
    null
  );
}

/** The folders of packages and apps: those that hold a package.json. */
export function listMembers(tree: SourceTree, parents: readonly string[]): readonly string[] {
  return [...tree.keys()]
    .filter((path) => path.endsWith('/package.json'))
    .map((path) => path.slice(0, -'/package.json'.length))
    .filter((folder) => parents.includes(folder.split('/')[0] ?? ''));
}
