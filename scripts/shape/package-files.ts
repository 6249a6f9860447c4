import { listMembers } from './paths.ts';
import type { Problem, SourceTree } from './source-tree.ts';

/** Whoever opens a package finds out what it is and on what terms. */
export function findMissingFiles(tree: SourceTree): readonly Problem[] {
  return listMembers(tree, ['packages', 'apps']).flatMap((folder) =>
    ['README.md', 'LICENSE']
      .map((name) => `${folder}/${name}`)
      .filter((path) => !tree.get(path)?.trim())
      .map((path) => ({ path, message: 'missing or empty' })),
  );
}
