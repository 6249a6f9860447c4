import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Texts by path, relative to the repository and with `/`: a real tree, or the sample of a test. */
export type SourceTree = ReadonlyMap<string, string>;

/** Where a rule is broken, and what to do about it. */
export interface Problem {
  readonly path: string;
  readonly message: string;
}

/** A rule of the house. Returns nothing for a tree that keeps it. */
export type Rule = (tree: SourceTree) => readonly Problem[];

const PARENTS = ['packages', 'apps', 'examples', 'trials', 'bench', 'site', 'scripts'];
const LEFT_OUT = new Set(['node_modules', 'dist', 'coverage', 'fixtures']);
const READ = /\.(ts|mts|js|mjs)$|\/(package\.json|README\.md|LICENSE)$/;

/** Reads what the rules look at. */
export function readSourceTree(root: string): SourceTree {
  const paths = ['package.json', ...PARENTS.flatMap((parent) => listFiles(root, parent))];
  return new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

function listFiles(root: string, folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return isLeftOut(entry.name) ? [] : listFiles(root, path);
    return entry.isFile() && READ.test(path) ? [path] : [];
  });
}

function isLeftOut(name: string): boolean {
  return LEFT_OUT.has(name) || name.startsWith('.');
}
