import type { ParseResult } from 'oxc-parser';
import { resolveImport } from './list-imports.ts';
import { lineAt, parseSource } from './parse-source.ts';
import { isOffered } from './paths.ts';
import type { Problem, SourceTree } from './source-tree.ts';

/** Everything that a package's index offers says what it is for, where it is declared. */
export function findUndocumentedExports(tree: SourceTree): readonly Problem[] {
  const problems = [...tree]
    .filter(([path]) => isOffered(path) && !path.startsWith('apps/') && path.endsWith('/index.ts'))
    .flatMap(([path, text]) => listReexports(path, text))
    .map(({ name, from }) => findUndocumented(tree, name, from))
    .filter((problem) => problem !== null);
  return [...new Map(problems.map((problem) => [problem.path + problem.message, problem])).values()];
}

interface Reexport {
  readonly name: string;
  readonly from: string;
}

function listReexports(path: string, text: string): readonly Reexport[] {
  const entries = parseSource(path, text).module.staticExports.flatMap((statement) => statement.entries);
  return entries.flatMap(({ moduleRequest, importName }) => {
    const from = moduleRequest === null ? null : resolveImport(path, moduleRequest.value);
    return from === null || importName.name === null ? [] : [{ name: importName.name, from }];
  });
}

function findUndocumented(tree: SourceTree, name: string, from: string): Problem | null {
  const text = tree.get(from);
  if (text === undefined) return null;
  const parsed = parseSource(from, text);
  const declaration = parsed.module.staticExports.find((statement) =>
    statement.entries.some((entry) => entry.moduleRequest === null && entry.exportName.name === name),
  );
  if (declaration === undefined || hasDocstring(parsed, text, declaration.start)) return null;
  const path = `${from}:${lineAt(text, declaration.start)}`;
  return { path, message: `${name} is public and needs a sentence that says what it is for` };
}

function hasDocstring({ comments }: ParseResult, text: string, start: number): boolean {
  return comments.some(
    (comment) =>
      comment.type === 'Block' &&
      comment.value.startsWith('*') &&
      comment.end <= start &&
      // A line for the linter may stand between.
      text
        .slice(comment.end, start)
        .replace(/^\s*\/\/.*$/gm, '')
        .trim() === '',
  );
}
