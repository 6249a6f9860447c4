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
