import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { repositoryRoot } from '../workspace/root.ts';
import { runCommand } from './run-command.ts';
import type { TestReport } from './tally-tests.ts';

const reportFile = join(repositoryRoot, '.reports', 'vitest.json');

/**
 * Runs all tests, readable on the terminal and as JSON in `.reports/vitest.json`. Resolves with the exit code.
 *
 * @param full with those of `*.full.test.ts`, and with what others take samples of
 */
export function runTests({ full }: { readonly full: boolean }): Promise<number> {
  rmSync(reportFile, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`];
  return runCommand(['vitest', 'run', ...reporters], full ? { TEST_FULL: '1' } : {});
}

/** The results of the last run of all tests, and when it ended; null when there are none. */
export function readTestReport(): (TestReport & { readonly endedAt: Date }) | null {
  if (!existsSync(reportFile)) return null;
  const report = JSON.parse(readFileSync(reportFile, 'utf8')) as TestReport;
  const testResults = report.testResults.map((file) => ({
    ...file,
    name: relative(repositoryRoot, file.name),
  }));
  return { ...report, testResults, endedAt: statSync(reportFile).mtime };
}
