import { listImports } from './list-imports.ts';
import { isCode, isTest } from './paths.ts';
import type { Problem, SourceTree } from './source-tree.ts';

/** The place that may know where runs are kept. */
const opensStorage = 'packages/orchestrator/src/open-storage.ts';

/** Finds where the orchestrator or an app names a place in which runs are kept, instead of the storage that it is given. */
export function findNamedStorages(tree: SourceTree): readonly Problem[] {
  const isAbove = (path: string) =>
    /^(?:apps\/[^/]+|packages\/(?:orchestrator|context-inheritance))\/src\//.test(path);
  return [...tree]
    .filter(([path]) => isAbove(path) && isCode(path) && !isTest(path) && path !== opensStorage)
    .filter(([path, text]) => listImports(path, text).includes('@agent/run-store/file'))
    .map(([path]) => ({
      path,
      message: `imports @agent/run-store/file; take the storage as an option, which ${opensStorage} opens`,
    }));
}
