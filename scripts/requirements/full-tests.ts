import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isNotShown, type TestReport } from '../check/tally-tests.ts';
import { listTaggedFiles } from '../test/tagged-files.ts';
import { repositoryRoot } from '../workspace/root.ts';

const titles = /(['"`])((?:(?!\1)[^\\\n]|\\.)*\[[A-Z][^\n\]]*\])\1/g;

/**
 * Adds the tests that the run left out, as skipped: those of files tagged `full` or `release`, and those of files that report
 * `NOT SHOWN HERE`, because this machine lacks what they need.
 */
export function withFullTests(report: TestReport): TestReport {
  const run = new Set(report.testResults.map(({ name }) => name));
  const tagged = listTaggedFiles(['full', 'release']).filter((file) => !run.has(file));
  const notShown = report.testResults
    .filter(({ assertionResults }) => assertionResults.some(({ title }) => isNotShown(title)))
    .map(({ name }) => name);
  const left = [...tagged, ...new Set(notShown)];
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
