import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../workspace/root.ts';

/** Globs of all test files, from the root of the repository. */
export const testFiles: readonly string[] = [
  '{packages,apps,examples}/*/{src,test}/**/*.test.ts',
  '{trials,bench,scripts,site}/**/*.test.ts',
];

/**
 * A test belongs to `npm test` unless it is tagged: `full` for `npm run test:full`, which `.ci/run` runs, `release` for
 * `npm run test:release`. A file carries its tag in its first line, `// @module-tag full`.
 */
export type TestTag = 'full' | 'release';

/** Marks of a test file that does more in `npm run test:release`: the variable, the functions that read it, and tagged tests. */
const growing = /\b(?:TEST_RELEASE|sampleOf|forgesToTry|listCells|databasesToTry)\b|\['release'\]/;
const firstLine = /^\/\/ @module-tag (full|release)\n/;

/** Lists the test files with one of the tags, in the order of their paths. */
export function listTaggedFiles(tags: readonly TestTag[], root: string = repositoryRoot): readonly string[] {
  return listTestFiles(root).filter((file) => {
    const tag = firstLine.exec(readFileSync(join(root, file), 'utf8'))?.[1];
    return tags.some((one) => one === tag);
  });
}

/** Lists the test files that do more in `npm run test:release`: tagged ones, and those with tagged tests or larger samples. */
export function listReleaseFiles(root: string = repositoryRoot): readonly string[] {
  return listTestFiles(root).filter((file) => {
    const source = readFileSync(join(root, file), 'utf8');
    return firstLine.exec(source)?.[1] === 'release' || growing.test(source);
  });
}

function listTestFiles(root: string): readonly string[] {
  const exclude = (path: string): boolean => path.includes('node_modules');
  return globSync([...testFiles], { cwd: root, exclude }).sort();
}
