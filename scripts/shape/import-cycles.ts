import { listImports, resolveImport } from './list-imports.ts';
import { isCode } from './paths.ts';
import type { Problem, SourceTree } from './source-tree.ts';

/** Files that need each other, types included, can't be understood one at a time. */
export function findImportCycles(tree: SourceTree): readonly Problem[] {
  const imports = new Map(
    [...tree].filter(([path]) => isCode(path)).map(([path, text]) => [path, listTargets(path, text)]),
  );
  const done = new Set<string>();
  const cycles: Problem[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    const seenAt = trail.indexOf(path);
    if (seenAt >= 0) cycles.push({ path, message: `cycle: ${[...trail.slice(seenAt), path].join(' → ')}` });
    if (seenAt >= 0 || done.has(path)) return;
    for (const target of imports.get(path) ?? []) visit(target, [...trail, path]);
    done.add(path);
  };
  for (const path of imports.keys()) visit(path, []);
  return cycles;
}

function listTargets(path: string, text: string): readonly string[] {
  return listImports(path, text)
    .map((specifier) => resolveImport(path, specifier))
    .filter((target) => target !== null);
}
