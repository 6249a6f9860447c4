import { constants } from 'node:os';
import { demoAccounts } from '@agent/simulators/demo/parts';
import type { CheckedPromise } from '../checked-promise.ts';
import { reviewQuestion } from './repair-basket.ts';

/** What the world looks like after the story. */
export interface ReviewFacts {
  readonly exitCode: number;
  /** How the check ended, head by head. */
  readonly verdicts: readonly boolean[];
  /** Threads on lines of the pull request. */
  readonly threads: readonly {
    readonly resolvedBy: string | null;
    readonly comments: readonly { readonly author: string; readonly body: string }[];
  }[];
  /** Subjects of the commits on its branch; the newest first. */
  readonly commits: readonly string[];
  readonly changeRequests: readonly { readonly draft: boolean }[];
  readonly diff: string;
  readonly issueLabels: readonly string[];
  /** Last comment of the agent on the issue. */
  readonly lastWords: string;
  readonly testsOnMain: boolean;
  readonly testsOnBranch: boolean;
}

/** Checks the promises of the story against the state of the forge and the repository. */
export function checkReviewPromises(facts: ReviewFacts): CheckedPromise[] {
  const { verdicts, threads, commits, changeRequests, diff } = facts;
  const [thread] = threads;
  const answers = thread?.comments.filter(({ author }) => author === demoAccounts.robot) ?? [];
  return [
    {
      promise: 'the daemon kept running until SIGTERM and had nothing left to do',
      kept: facts.exitCode === 128 + constants.signals.SIGTERM,
    },
    {
      promise: 'there is one pull request, still a draft: merging is up to the maintainers',
      kept: changeRequests.length === 1 && changeRequests[0]?.draft === true,
    },
    {
      promise: 'the check failed on the first commit and passes on the last',
      kept: verdicts.length > 1 && verdicts[0] === false && verdicts.at(-1) === true,
    },
    {
      promise: 'each fix is a separate commit on the same branch; nothing was force-pushed',
      kept: commits.length === verdicts.length && commits.length > 2,
    },
    {
      promise: 'the reviewer has one answer, in the review thread, which is resolved as requested',
      kept:
        threads.length === 1 &&
        answers.length === 1 &&
        answers[0]?.body.includes(reviewQuestion.answer) === true &&
        thread?.resolvedBy === demoAccounts.robot,
    },
    {
      promise: "the diff contains the reviewer's change",
      kept: diff.includes(`+${reviewQuestion.wanted}`),
    },
    {
      promise:
        'the last comment on the issue says that all checks passed, and the label says that the work is done',
      kept:
        facts.lastWords.includes('All checks have passed') && facts.issueLabels.includes('coding agent done'),
    },
    { promise: 'the default branch is unchanged: its test still fails', kept: !facts.testsOnMain },
    { promise: 'the tests pass on the branch of the pull request', kept: facts.testsOnBranch },
  ];
}
