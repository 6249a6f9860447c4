import { expect, it } from 'vitest';
import { checkReviewPromises, type ReviewFacts } from './check-review-promises.ts';
import { reviewQuestion } from './repair-basket.ts';

const question = { author: 'mika', body: reviewQuestion.body };
const answer = { author: 'shop-agent', body: `Done in 0123456789.\n\n${reviewQuestion.answer}` };
const thread = { resolvedBy: 'shop-agent', comments: [question, answer] };
const good: ReviewFacts = {
  exitCode: 143,
  verdicts: [false, true, true],
  threads: [thread],
  commits: ['three', 'two', 'one'],
  changeRequests: [{ draft: true }],
  diff: `+${reviewQuestion.wanted}`,
  issueLabels: ['bug', 'coding agent done'],
  lastWords: 'All checks have passed, and there are no open review comments.',
  testsOnMain: false,
  testsOnBranch: true,
};
const broken = (fields: Partial<ReviewFacts>) =>
  checkReviewPromises({ ...good, ...fields }).flatMap(({ promise, kept }) => (kept ? [] : [promise]));

it('finds every promise of the review kept after a good run', () => {
  expect(broken({})).toEqual([]);
});

it.each<[string, Partial<ReviewFacts>, RegExp]>([
  ['a daemon that failed', { exitCode: 1 }, /until SIGTERM/],
  ['a draft that was made ready', { changeRequests: [{ draft: false }] }, /still a draft/],
  ['a second pull request', { changeRequests: [{ draft: true }, { draft: true }] }, /one pull request/],
  ['a check that never failed', { verdicts: [true, true, true] }, /failed on the first commit/],
  ['a check that fails at the end', { verdicts: [false, true, false] }, /passes on the last/],
  ['commits that were pushed over', { commits: ['three', 'two'] }, /separate commit/],
  ['a reviewer without an answer', { threads: [{ ...thread, comments: [question] }] }, /one answer/],
  ['two answers', { threads: [{ ...thread, comments: [question, answer, answer] }] }, /one answer/],
  ['a thread that is not resolved', { threads: [{ ...thread, resolvedBy: null }] }, /resolved as requested/],
  ['a wish that was not heeded', { diff: '' }, /the diff contains/],
  ['an end without a reason', { lastWords: '' }, /all checks passed/],
  ['an issue that still waits', { issueLabels: ['coding agent processing'] }, /the work is done/],
  ['a changed default branch', { testsOnMain: true }, /default branch/],
  ['failing tests', { testsOnBranch: false }, /tests pass/],
])('notices %s after the review, and nothing else', (_, fields, promise) => {
  expect(broken(fields)).toEqual([expect.stringMatching(promise)]);
});
