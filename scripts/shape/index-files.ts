import { lineAt, parseSource } from './parse-source.ts';
import { isOffered } from './paths.ts';
import type { Problem, SourceTree } from './source-tree.ts';

const MOST_LINES = 110;

/** An index says what a folder offers, name by name, and does nothing. */
export function findIndexProblems(tree: SourceTree): readonly Problem[] {
  return [...tree]
    .filter(([path]) => isOffered(path) && path.endsWith('/index.ts'))
    .flatMap(([path, text]) => [...findLength(path, text), ...findOtherStatements(path, text)]);
}

function findLength(path: string, text: string): readonly Problem[] {
  const lines = text.trimEnd().split('\n').length;
  return lines > MOST_LINES ? [{ path, message: `${lines} lines; an index has at most ${MOST_LINES}` }] : [];
}

function findOtherStatements(path: string, text: string): readonly Problem[] {
  return parseSource(path, text).program.body.flatMap((statement) => {
    const where = `${path}:${lineAt(text, statement.start)}`;
    if (statement.type === 'ExportAllDeclaration')
      return [{ path: where, message: 'name what is exported, no `export *`' }];
    const isNamed = statement.type === 'ExportNamedDeclaration' && statement.declaration === null;
    return isNamed
      ? []
      : [{ path: where, message: 'an index only exports by name; move this to a file of its own' }];
  });
}
