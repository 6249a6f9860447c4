import { mayImport, mayTestWith } from './library-order.ts';
import { listImports, resolveImport } from './list-imports.ts';
import { isCode, isPublished, memberOf, SIMULATORS } from './paths.ts';
import type { Problem, SourceTree } from './source-tree.ts';

/**
 * Libraries share their leaf and know each other by shape alone; orchestrator, apps, examples and bench put several together. Tests
 * of all of them use the simulators, which nothing that is published may need.
 */
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
  if (isSimulator(specifier))
    return isPublished(path) ? `imports ${specifier}, which only tests may need` : null;
  if (mayImport(member, specifier)) return null;
  if (!isPublished(path) && mayTestWith(member, specifier)) return null;
  return `imports ${specifier}; declare the port that is needed instead (docs/decisions/0001, 0026)`;
}

function isSimulator(specifier: string): boolean {
  return specifier === SIMULATORS || specifier.startsWith(`${SIMULATORS}/`);
}
