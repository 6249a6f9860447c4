import { type Node, Visitor } from 'oxc-parser';
import { lineAt, parseSource } from '../shape/parse-source.ts';
import { isPublished } from '../shape/paths.ts';
import type { SourceTree } from '../shape/source-tree.ts';

/** A regular expression as it stands in a source. */
export interface FoundExpression {
  readonly path: string;
  readonly line: number;
  readonly pattern: string;
  readonly flags: string;
}

/** One that is put together while the program runs: its pattern stands in no one place. */
export interface BuiltExpression {
  readonly path: string;
  readonly line: number;
}

export interface Expressions {
  readonly found: readonly FoundExpression[];
  readonly built: readonly BuiltExpression[];
}

/** Every regular expression in the sources of packages and apps; tests meet no strangers. */
export function listExpressions(tree: SourceTree): Expressions {
  const lists: { found: FoundExpression[]; built: BuiltExpression[] } = { found: [], built: [] };
  for (const [path, text] of tree) {
    if (!isMeant(path)) continue;
    const add = ({ type, callee, start }: Built) => {
      if (callee.type === 'Identifier' && callee.name === 'RegExp')
        lists.built.push({ path, line: lineAt(text, start) });
      return type;
    };
    new Visitor({
      Literal(node) {
        if (!('regex' in node)) return;
        const { pattern, flags } = node.regex;
        lists.found.push({ path, line: lineAt(text, node.start), pattern, flags });
      },
      NewExpression: add,
      CallExpression: add,
    }).visit(parseSource(path, text).program);
  }
  return lists;
}

type Built = Pick<Extract<Node, { type: 'NewExpression' | 'CallExpression' }>, 'type' | 'callee' | 'start'>;

function isMeant(path: string): boolean {
  return isPublished(path) && !path.includes('/src/testing/');
}
