import { describe, expect, it } from 'vitest';
import { checkPromises, type DemoFacts } from './check-promises.ts';

const good: DemoFacts = {
  exitCode: 0,
  changeRequestWord: 'pull request',
  issueNumber: 1,
  issueLabels: ['bug', 'coding agent done'],
  ownComments: ['report'],
  changeRequests: [{ number: 2, draft: true, body: 'Closes #1' }],
  testsOnMain: false,
  testsOnBranch: true,
};
const broken = (fields: Partial<DemoFacts>) =>
  checkPromises({ ...good, ...fields }).flatMap(({ promise, kept }) => (kept ? [] : [promise]));

describe('checkPromises', () => {
  it('finds every promise kept after a good run', () => {
    expect(broken({})).toEqual([]);
  });

  it.each<[string, Partial<DemoFacts>, RegExp]>([
    ['a daemon that failed', { exitCode: 1 }, /exit code 0/],
    ['an issue that still waits', { issueLabels: ['coding agent', 'coding agent done'] }, /labelled as done/],
    ['an issue that is not done', { issueLabels: ['coding agent failed'] }, /labelled as done/],
    ['two reports', { ownComments: ['a', 'b'] }, /exactly one report/],
    ['no pull request', { changeRequests: [] }, /exactly one pull request/],
    [
      'one that is no draft',
      { changeRequests: [{ number: 2, draft: false, body: '#1' }] },
      /exactly one pull request/,
    ],
    [
      'one that links another issue',
      { changeRequests: [{ number: 2, draft: true, body: '#12' }] },
      /pull request/,
    ],
    ['a changed default branch', { testsOnMain: true }, /default branch/],
    ['failing tests', { testsOnBranch: false }, /tests pass/],
    ['tests that never ran', { testsOnBranch: null }, /tests pass/],
  ])('notices %s, and nothing else', (_, fields, promise) => {
    expect(broken(fields)).toEqual([expect.stringMatching(promise)]);
  });
});
