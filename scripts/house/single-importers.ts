import { listImports, resolveImport } from '../shape/list-imports.ts';
import { parseSource } from '../shape/parse-source.ts';
import type { Problem, SourceTree } from '../shape/source-tree.ts';

const MOST_LINES = 60;
/** Entries of a table (commands of the command line, platforms, tools of the model) and texts are rooms of their own, whoever asks for them. */
const KEPT_APART =
  /\/(?:tools|commands)\/[^/]+$|\/platforms\/[^/]+-entry\.ts$|-(?:command|tool)\.ts$|[/-]texts(?:[.-][^/]*)?\.ts$|\/texts\/|[.-](?:en|ja)\.ts$/;

/** Private modules that a single other module needs and that would fit into it: corridors, not rooms. */
export function findSingleImporters(sources: SourceTree): readonly Problem[] {
  const importers = listImporters(sources);
  return [...sources].flatMap(([path, text]) => {
    const lines = text.trimEnd().split('\n').length;
    const from = [...(importers.get(path) ?? [])];
    const [only] = from;
    if (lines > MOST_LINES || from.length !== 1 || only === undefined) return [];
    if (KEPT_APART.test(path) || only.endsWith('/index.ts') || isLazy(path, only, sources)) return [];
    return [{ path, message: `${lines} lines that ${only} alone imports` }];
  });
}

function listImporters(sources: SourceTree): ReadonlyMap<string, ReadonlySet<string>> {
  const importers = new Map<string, Set<string>>();
  for (const [path, text] of sources) {
    for (const specifier of listImports(path, text)) {
      const target = resolveImport(path, specifier);
      if (target !== null) importers.set(target, (importers.get(target) ?? new Set()).add(path));
    }
  }
  return importers;
}

/** Tells whether a module is loaded only when it is needed. */
function isLazy(path: string, importer: string, sources: SourceTree): boolean {
  const text = sources.get(importer) ?? '';
  const { module } = parseSource(importer, text);
  return module.dynamicImports.some(
    ({ moduleRequest: { start, end } }) => resolveImport(importer, text.slice(start + 1, end - 1)) === path,
  );
}
