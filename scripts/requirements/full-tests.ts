import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isNotShown, type TestReport } from '../check/tally-tests.ts';
import { repositoryRoot } from '../workspace/root.ts';

const titles = /(['"`])((?:(?!\1)[^\\\n]|\\.)*\[[A-Z][^\n\]]*\])\1/g;
const patterns = [
  '{packages,apps,examples}/*/{src,test}/**/*.full.test.ts',
  '{simulators,scripts}/**/*.full.test.ts',
];

/**
 * Adds the tests that the run left out, as skipped: those of `*.full.test.ts`, of which `npm run test:full` leaves none, and
 * those of files that report `NOT SHOWN HERE`, because this machine lacks what they need.
 */
export function withFullTests(report: TestReport): TestReport {
  const run = new Set(report.testResults.map(({ name }) => name));
  const exclude = (path: string): boolean => path.includes('node_modules');
  const full = globSync(patterns, { cwd: repositoryRoot, exclude }).filter((file) => !run.has(file));
  const notShown = report.testResults
    .filter(({ assertionResults }) => assertionResults.some(({ title }) => isNotShown(title)))
    .map(({ name }) => name);
  const left = [...full, ...new Set(notShown)];
  const results = left.map((name) => ({
    name,
    status: 'skipped',
    assertionResults: listTitles(readFileSync(join(repositoryRoot, name), 'utf8')),
  }));
  return { ...report, testResults: [...report.testResults, ...results] };
}

/** What stands in quotes and ends with ids. */
export function listTitles(source: string): TestReport['testResults'][number]['assertionResults'] {
  return [...source.matchAll(titles)].map(([, , title = '']) => ({
    ancestorTitles: [],
    title,
    status: 'skipped',
  }));
}
