import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { repositoryRoot } from '../workspace/root.ts';
import { runCommand } from './run-command.ts';
import { mergeReports, type TestReport } from './tally-tests.ts';

/** Tests, and stories of the daemon once more with their runs in a database: the configuration of each, and its results. */
const testSuites = {
  all: { config: 'vitest.config.ts', report: join(repositoryRoot, '.reports', 'vitest.json') },
  postgres: {
    config: 'vitest.postgres.config.ts',
    report: join(repositoryRoot, '.reports', 'vitest-postgres.json'),
    storage: 'PostgreSQL',
  },
};

export type TestSuite = keyof typeof testSuites;

/**
 * Runs the tests of a suite, readable on the terminal and as JSON in `.reports`. Resolves with the exit code.
 *
 * @param full with those tagged `full`, and with larger samples
 */
export function runTests(suite: TestSuite, { full }: { readonly full: boolean }): Promise<number> {
  const { config, report } = testSuites[suite];
  // What a database was told belongs to the run of all tests before it.
  for (const one of suite === 'all' ? Object.values(testSuites) : [testSuites[suite]])
    rmSync(one.report, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const run = ['vitest', 'run', '--config', config, ...reporters] as const;
  const filters = (full ? ['release'] : ['full', 'release']).map((tag) => `--tags-filter=!${tag}`);
  return runCommand([...run, ...filters], full ? { TEST_FULL: '1' } : {});
}

/** The results of the last run of a suite, and when it ended; null when there are none. */
export function readTestReport(suite: TestSuite): (TestReport & { readonly endedAt: Date }) | null {
  const { report: file, ...place } = testSuites[suite];
  if (!existsSync(file)) return null;
  const report = JSON.parse(readFileSync(file, 'utf8')) as TestReport;
  const storage = 'storage' in place ? place.storage : undefined;
  const testResults = report.testResults.map((result) => ({
    ...result,
    storage,
    name: relative(repositoryRoot, result.name),
  }));
  return { ...report, testResults, endedAt: statSync(file).mtime };
}

/** The results of the last run of all tests, with those of the stories in a database where they were run; null when there are none. */
export function readTestReports(): (TestReport & { readonly endedAt: Date }) | null {
  const all = readTestReport('all');
  const postgres = readTestReport('postgres');
  return all === null ? null : { ...mergeReports(all, postgres), endedAt: all.endedAt };
}
