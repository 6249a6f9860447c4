import { describe, expect, it } from 'vitest';
import { checkDaemonRun, type DaemonRunFacts } from './check-daemon-run.ts';

const failed: DaemonRunFacts = {
  recorded: ['failed'],
  exitCode: 1,
  labels: ['coding agent failed'],
  headings: ['❌ Task failed'],
  hasChanged: false,
};
const completed: DaemonRunFacts = {
  recorded: ['completed'],
  exitCode: 0,
  labels: ['coding agent done'],
  headings: ['✅ Task completed'],
  hasChanged: true,
};

describe('checkDaemonRun', () => {
  it('accepts runs whose signs agree with their record', () => {
    expect(checkDaemonRun(failed)).toEqual([]);
    expect(checkDaemonRun(completed)).toEqual([]);
    expect(checkDaemonRun({ ...failed, hasChanged: true, headings: ['A note', '❌ Task failed'] })).toEqual(
      [],
    );
  });

  it.each<[string, DaemonRunFacts, string]>([
    ['a daemon that was killed', { ...failed, exitCode: null }, 'did not exit'],
    ['no run', { ...failed, recorded: [] }, '0 runs'],
    ['a record without an end', { ...failed, recorded: [null] }, 'outcome null'],
    ['another label', { ...failed, labels: ['coding agent done'] }, 'labels'],
    ['a label too many', { ...failed, labels: ['coding agent', 'coding agent failed'] }, 'labels'],
    ['another heading', { ...failed, headings: ['✅ Task completed'] }, 'headings'],
    ['two ends', { ...failed, headings: ['❌ Task failed', '❌ Task failed'] }, 'headings'],
    ['another exit code', { ...failed, exitCode: 0 }, 'exit code'],
    ['completed without a change', { ...completed, hasChanged: false }, 'nothing was changed'],
  ])('finds %s', (_, facts, problem) => {
    expect(checkDaemonRun(facts)).toEqual([expect.stringContaining(problem)]);
  });
});
