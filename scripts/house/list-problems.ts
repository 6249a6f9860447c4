import { isPublished } from '../shape/paths.ts';
import { findServiceBags } from '../shape/service-bags.ts';
import type { SourceTree } from '../shape/source-tree.ts';
import { findDialect, listComments, listProse, listStrings } from './dialect.ts';
import { withoutContracts } from './measures.ts';
import { findSingleImporters } from './single-importers.ts';

/** One line for each place that a figure counts. */
export function listProblems(tree: SourceTree, documents: SourceTree): readonly string[] {
  const sources = new Map([...tree].filter(([path]) => isPublished(path)));
  return [
    ...findSingleImporters(sources),
    ...findServiceBags(sources),
    ...findDialect(listStrings(withoutContracts(sources))),
    ...findDialect(listComments(sources)),
    ...findDialect(listProse(documents)),
  ].map(({ path, message }) => `${path}: ${message}`);
}
