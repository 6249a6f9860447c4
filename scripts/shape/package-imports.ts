import { listImports, resolveImport } from './list-imports.ts';
import { isCode, memberOf } from './paths.ts';
import type { Problem, SourceTree } from './source-tree.ts';

/** Packages know each other by shape alone; only apps, examples and bench put several together. */
export function findForeignImports(tree: SourceTree): readonly Problem[] {
  return [...tree].flatMap(([path, text]) => {
    const member = memberOf(path);
    if (member === null || !isCode(path) || !/\/(src|test)\//.test(path)) return [];
    return listImports(path, text)
      .map((specifier) => findReason(path, member, specifier))
      .filter((reason) => reason !== null)
      .map((message) => ({ path, message }));
  });
}

function findReason(path: string, member: string, specifier: string): string | null {
  const target = resolveImport(path, specifier);
  if (target !== null && !target.startsWith(`${member}/`))
    return `imports ${specifier}, which is outside ${member}`;
  if (!member.startsWith('packages/') || !specifier.startsWith('@agent/')) return null;
  return `imports ${specifier}; declare the port that is needed instead (docs/decisions/0001)`;
}
