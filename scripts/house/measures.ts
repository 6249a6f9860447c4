import { parseSource } from '../shape/parse-source.ts';
import { isPublished } from '../shape/paths.ts';
import { findServiceBags } from '../shape/service-bags.ts';
import type { SourceTree } from '../shape/source-tree.ts';
import { countSentencesWithoutRole, findDialect, listComments, listProse, listStrings } from './dialect.ts';
import { findSingleImporters } from './single-importers.ts';

/** A figure of the house that a change may not make worse, unless it stays on the good side of its aim. */
export interface Measure {
  readonly name: string;
  readonly value: number;
  readonly better: 'less' | 'more';
  readonly aim: number;
}

/** Measures everything that is published (sources of packages and apps, without tests and simulators) and the documents. */
export function measureHouse(tree: SourceTree, documents: SourceTree): readonly Measure[] {
  const sources = new Map([...tree].filter(([path]) => isPublished(path)));
  const prose = listProse(documents);
  const lengths = [...sources.values()].map(countLines).sort((one, other) => one - other);
  const lines = lengths.reduce((sum, length) => sum + length, 0);
  const imports = [...sources].reduce((sum, [path, text]) => sum + countOwnImports(path, text), 0);
  const less = (name: string, value: number, aim: number): Measure => ({ name, value, better: 'less', aim });
  return [
    less('source files', sources.size, 620),
    { name: 'file median (lines)', value: quantile(lengths, 0.5), better: 'more', aim: 60 },
    less('file p90 (lines)', quantile(lengths, 0.9), 200),
    less('file max (lines)', lengths.at(-1) ?? 0, 300),
    less('own imports per 1,000 lines', Math.round((imports * 1000) / Math.max(1, lines)), 35),
    less(
      'private modules of at most 60 lines with a single importer',
      findSingleImporters(sources).length,
      0,
    ),
    less('parameters that are service bags', findServiceBags(tree).length, 0),
    less('list A words in strings', findDialect(listStrings(withoutContracts(sources))).length, 0),
    less('list A words in comments', findDialect(listComments(sources)).length, 0),
    less('list A words in documents', findDialect(prose).length, 0),
    less(
      'sentences of documents with who, what, nobody or none (per 1,000)',
      countSentencesWithoutRole(prose),
      40,
    ),
  ];
}

/** The names of cases in contract suites are names of tests, which no user reads. */
export function withoutContracts(sources: SourceTree): SourceTree {
  return new Map([...sources].filter(([path]) => !path.includes('/testing/')));
}

/** Tells whether a figure is worse than it was, and beyond its aim. */
export function isWorse({ value, better, aim }: Measure, before: number): boolean {
  return better === 'less' ? value > Math.max(before, aim) : value < Math.min(before, aim);
}

/** Counts what a reader has to know from elsewhere: statements that import. What is offered again, as by an index, is no import. */
function countOwnImports(path: string, text: string): number {
  const { staticImports, dynamicImports } = parseSource(path, text).module;
  const loaded = dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start + 1, end - 1));
  return [...staticImports.map(({ moduleRequest }) => moduleRequest.value), ...loaded].filter((specifier) =>
    /^\.|^@agent\//.test(specifier),
  ).length;
}

function countLines(text: string): number {
  return text.trimEnd().split('\n').length;
}

/** Of sorted values; 0 when there are none. */
function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
