import { describe, expect, it } from 'vitest';
import { addTallies, tallyExitCode } from './stage.ts';
import { listFailed, listNotShown, tallyTests } from './tally-tests.ts';

function report(files: readonly { status: string; tests: readonly string[] }[]) {
  const tests = files.flatMap((file) => file.tests);
  return {
    numPassedTests: tests.filter((status) => status === 'passed').length,
    numFailedTests: tests.filter((status) => status === 'failed').length,
    testResults: files.map(({ status, tests: statuses }) => ({
      name: 'a.test.ts',
      status,
      assertionResults: statuses.map((result) => ({ ancestorTitles: [], title: 'does it', status: result })),
    })),
  };
}

describe('tallyTests', () => {
  it('counts what passed and what failed', () => {
    const counted = tallyTests(1, report([{ status: 'failed', tests: ['passed', 'failed', 'passed'] }]));
    expect(counted).toEqual({ passed: 2, failed: 1 });
  });

  it('counts a file that could not be loaded as a failure', () => {
    const counted = tallyTests(
      1,
      report([
        { status: 'failed', tests: [] },
        { status: 'passed', tests: ['passed'] },
      ]),
    );
    expect(counted).toEqual({ passed: 1, failed: 1 });
  });

  it('never calls a run that ended badly a success', () => {
    expect(tallyTests(1, report([{ status: 'passed', tests: ['passed'] }]))).toEqual({
      passed: 1,
      failed: 1,
    });
    expect(tallyTests(0, null)).toEqual({ passed: 0, failed: 1 });
  });
});

describe('addTallies', () => {
  it('counts a stage without tests as one', () => {
    expect(addTallies([tallyExitCode(0), tallyExitCode(2), { passed: 5, failed: 0 }])).toEqual({
      passed: 6,
      failed: 1,
    });
  });
});

describe('listNotShown', () => {
  it('names each test once that says what this machine lacks', () => {
    const titles = ['NOT SHOWN HERE, no network: a', 'b', 'NOT SHOWN HERE, no network: a'];
    const assertionResults = titles.map((title) => ({ ancestorTitles: [], title, status: 'passed' }));
    const testResults = [{ name: 'a.test.ts', status: 'passed', assertionResults }];
    expect(listNotShown({ numPassedTests: 3, numFailedTests: 0, testResults })).toEqual([
      'NOT SHOWN HERE, no network: a',
    ]);
    expect(listNotShown(null)).toEqual([]);
  });
});

describe('listFailed', () => {
  it('names each failed test, with the place of its runs and the beginning of its error', () => {
    const failed = {
      ancestorTitles: ['a run'],
      title: 'ends',
      status: 'failed',
      failureMessages: ['Error: still\n    at a.test.ts'],
    };
    const passed = { ancestorTitles: [], title: 'begins', status: 'passed', failureMessages: [] };
    const testResults = [
      { name: 'a.test.ts', status: 'failed', storage: 'PostgreSQL', assertionResults: [passed, failed] },
      { name: 'b.test.ts', status: 'failed', message: 'Cannot find module c', assertionResults: [] },
    ];
    expect(listFailed({ numPassedTests: 1, numFailedTests: 1, testResults })).toEqual([
      'a.test.ts (PostgreSQL) > a run > ends: Error: still at a.test.ts',
      'b.test.ts: Cannot find module c',
    ]);
    expect(listFailed(null)).toEqual([]);
  });
});
