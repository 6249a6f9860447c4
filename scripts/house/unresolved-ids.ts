import { lineAt, parseSource } from '../shape/parse-source.ts';
import { isCode } from '../shape/paths.ts';
import type { Problem, SourceTree } from '../shape/source-tree.ts';

/** `CD-T12`, `X14`, `B21`, but no part of a longer word such as `E0100`, `UTF-8` or `A1.B2`. */
const MENTIONED = /(?<![\w+.&#\\-])(?:(?:CC|CD|CI|TC|PP|RL|NX)-[A-Z]?\d+|[A-EX]\d{1,2})(?![\w-])/g;

/** Ids in comments and documents that docs/requirements.md does not have: whoever follows them finds nothing. */
export function findUnresolvedIds(tree: SourceTree, known: ReadonlySet<string>): readonly Problem[] {
  return [...tree].flatMap(([path, text]) =>
    listPassages(path, text).flatMap(({ passage, start }) =>
      listMentionedIds(passage)
        .filter(({ id }) => !known.has(id))
        .map(({ id, index }) => ({
          path: `${path}:${lineAt(text, start + index)}`,
          message: `${id} has no row in docs/requirements.md`,
        })),
    ),
  );
}

/** The ids that a text mentions, each as often as it stands there. */
export function listMentionedIds(text: string): readonly { readonly id: string; readonly index: number }[] {
  return [...text.matchAll(MENTIONED)].map(({ 0: id, index }) => ({ id, index }));
}

function listPassages(
  path: string,
  text: string,
): readonly { readonly passage: string; readonly start: number }[] {
  if (path.endsWith('.md')) return [{ passage: text, start: 0 }];
  if (!isCode(path)) return [];
  return parseSource(path, text).comments.map(({ start, end }) => ({
    passage: text.slice(start, end),
    start,
  }));
}
