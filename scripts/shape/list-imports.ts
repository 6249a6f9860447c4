import { posix } from 'node:path';
import { parseSource } from './parse-source.ts';

/** Everything a module names in an import or a re-export, types included, in the order of the text. */
export function listImports(path: string, text: string): readonly string[] {
  const { module } = parseSource(path, text);
  const imported = module.staticImports.map((statement) => statement.moduleRequest.value);
  const reexported = module.staticExports.flatMap((statement) =>
    statement.entries.flatMap((entry) => (entry.moduleRequest === null ? [] : [entry.moduleRequest.value])),
  );
  const dynamic = module.dynamicImports
    .map(
      ({ moduleRequest }) => /^(['"])(.*)\1$/.exec(text.slice(moduleRequest.start, moduleRequest.end))?.[2],
    )
    .filter((name) => name !== undefined);
  return [...imported, ...reexported, ...dynamic];
}

/** The path that a relative import means; null for packages and builtins. */
export function resolveImport(from: string, specifier: string): string | null {
  return specifier.startsWith('.') ? posix.join(posix.dirname(from), specifier) : null;
}

/** Tells whether a module takes nothing but types from a package, and passes none of it on. */
export function importsTypesAlone(path: string, text: string, specifier: string): boolean {
  const { module } = parseSource(path, text);
  const named = module.staticImports.filter(({ moduleRequest }) => moduleRequest.value === specifier);
  const areTypes = named.every(({ entries }) => entries.length > 0 && entries.every(({ isType }) => isType));
  return areTypes && listImports(path, text).filter((name) => name === specifier).length === named.length;
}
