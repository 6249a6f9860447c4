import { isCode, isTest, memberOf } from './paths.ts';
import type { Problem, SourceTree } from './source-tree.ts';

const MOST_LINES = 300;
const MOST_TEST_LINES = 400;

/** A file that is too long holds more than one concept. */
export function findLongFiles(tree: SourceTree): readonly Problem[] {
  return [...tree].flatMap(([path, text]) => {
    if (!isCode(path) || memberOf(path) === null) return [];
    const limit = isTest(path) ? MOST_TEST_LINES : MOST_LINES;
    const lines = countLines(text);
    return lines > limit ? [{ path, message: `${lines} lines; split it, ${limit} are the limit` }] : [];
  });
}

function countLines(text: string): number {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}
