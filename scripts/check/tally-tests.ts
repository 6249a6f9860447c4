import type { Tally } from './stage.ts';

/** What is read of Vitest's JSON report. */
export interface TestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    /** Why the file could not be loaded; empty otherwise. */
    readonly message?: string;
    /** Place of the runs, where it is another than the tests say. */
    readonly storage?: string | undefined;
    readonly assertionResults: readonly TestResult[];
  }[];
}

export interface TestResult {
  /** Names of the describe blocks around it, outermost first. */
  readonly ancestorTitles: readonly string[];
  readonly title: string;
  /** `passed`, `failed`, `skipped`, `pending`, `todo`. */
  readonly status: string;
  /** Message and stack of each error, the first of the last attempt first. */
  readonly failureMessages?: readonly string[] | null;
}

/**
 * Tests that passed and failed. A file that could not be loaded counts as one failed test, and so does a run
 * that failed without any failed test (an unhandled error, a report that was never written).
 */
export function tallyTests(exitCode: number, report: TestReport | null): Tally {
  if (report === null) return { passed: 0, failed: 1 };
  const failedFiles = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.every((test) => test.status !== 'failed'),
  );
  const failed = report.numFailedTests + failedFiles.length;
  return { passed: report.numPassedTests, failed: failed === 0 && exitCode !== 0 ? 1 : failed };
}

/** Joins the results of two runs; null for one that was not made. */
export function mergeReports(one: TestReport, other: TestReport | null): TestReport {
  if (other === null) return one;
  return {
    numPassedTests: one.numPassedTests + other.numPassedTests,
    numFailedTests: one.numFailedTests + other.numFailedTests,
    testResults: [...one.testResults, ...other.testResults],
  };
}

/** One line for each test that failed and each file that could not be loaded: file, test and the beginning of its error. */
export function listFailed(report: TestReport | null): readonly string[] {
  return (report?.testResults ?? []).flatMap(({ name, storage, status, message, assertionResults }) => {
    const file = storage === undefined ? name : `${name} (${storage})`;
    const failed = assertionResults.filter((test) => test.status === 'failed');
    if (failed.length === 0 && status === 'failed') return [`${file}: ${shorten(message)}`];
    return failed.map(
      ({ ancestorTitles, title, failureMessages }) =>
        `${[file, ...ancestorTitles, title].join(' > ')}: ${shorten(failureMessages?.[0])}`,
    );
  });
}

function shorten(message: string | undefined): string {
  return (message ?? '').replaceAll(/\s+/g, ' ').slice(0, 300);
}

/** The names of tests that passed by saying that this machine lacks what they need, each once. */
export function listNotShown(report: TestReport | null): readonly string[] {
  const titles = (report?.testResults ?? []).flatMap((file) =>
    file.assertionResults.map(({ title }) => title),
  );
  return [...new Set(titles.filter(isNotShown))];
}

/** Tells whether a test passed by reporting that this machine lacks what it needs. */
export function isNotShown(title: string): boolean {
  return title.startsWith('NOT SHOWN HERE');
}
