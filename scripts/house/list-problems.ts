import { isPublished } from '../shape/paths.ts';
import { findServiceBags } from '../shape/service-bags.ts';
import type { SourceTree } from '../shape/source-tree.ts';
import { findBritishSpellings, findForeignBeginnings } from './prose.ts';
import { findSingleImporters } from './single-importers.ts';

/** One line for each place that a figure counts. */
export function listProblems(tree: SourceTree): readonly string[] {
  const sources = new Map([...tree].filter(([path]) => isPublished(path)));
  return [
    ...findSingleImporters(sources),
    ...findServiceBags(sources),
    ...findForeignBeginnings(sources),
    ...findBritishSpellings(sources),
  ].map(({ path, message }) => `${path}: ${message}`);
}
