import { MODEL, mayImport, mayImportModel, mayTestWith } from './library-order.ts';
import { importsTypesAlone, listImports, resolveImport } from './list-imports.ts';
import { isCode, isPublished, memberOf, SIMULATORS } from './paths.ts';
import type { Problem, SourceTree } from './source-tree.ts';

/**
 * Libraries share their leaf and the types of the platform model, and know each other by shape alone; orchestrator, apps, examples and bench put several together. Tests
 * of all of them use the simulators, which nothing that is published may need.
 */
export function findForeignImports(tree: SourceTree): readonly Problem[] {
  return [...tree].flatMap(([path, text]) => {
    const member = memberOf(path);
    if (member === null || !isCode(path) || !/\/(src|test)\//.test(path)) return [];
    const takesTypes = mayImportModel(member) && importsTypesAlone(path, text, MODEL);
    return listImports(path, text)
      .filter((specifier) => !(specifier === MODEL && takesTypes))
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
  return `imports ${specifier}; import types of @agent/platforms, or declare the port that is needed (docs/decisions/0097)`;
}

function isSimulator(specifier: string): boolean {
  return specifier === SIMULATORS || specifier.startsWith(`${SIMULATORS}/`);
}
