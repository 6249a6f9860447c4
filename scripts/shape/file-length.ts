import { isCode, isPublished, isTest, memberOf } from './paths.ts';
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

/** Maximum lines of an app's sources without its texts. Beyond that, it holds code that belongs in a library. */
const APP_LINES: Readonly<Record<string, number>> = {
  'apps/daemon': 12_000,
  'apps/discord': 5_500,
  'apps/mcp': 700,
};

/** Apps wire, configure and show: what else they could do belongs into a library. */
export function findHeavyApps(tree: SourceTree): readonly Problem[] {
  return Object.entries(APP_LINES).flatMap(([path, limit]) => {
    const sources = [...tree].filter(
      ([file]) => memberOf(file) === path && isPublished(file) && !isTexts(file),
    );
    const lines = sources.reduce((sum, [, text]) => sum + countLines(text), 0);
    if (lines <= limit) return [];
    return [
      { path, message: `${lines} lines; move what others could import to a library, ${limit} are the limit` },
    ];
  });
}

function isTexts(file: string): boolean {
  return /\.(?:en|ja)\.ts$/.test(file);
}

function countLines(text: string): number {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}
