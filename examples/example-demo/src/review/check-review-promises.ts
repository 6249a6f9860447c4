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

/** Holds what the story promises against what happened. */
export function checkReviewPromises(facts: ReviewFacts): CheckedPromise[] {
  const { verdicts, threads, commits, changeRequests, diff } = facts;
  const [thread] = threads;
  const answers = thread?.comments.filter(({ author }) => author === demoAccounts.robot) ?? [];
  return [
    {
      promise: 'the daemon went on until it was ended (SIGTERM), and had nothing left to do',
      kept: facts.exitCode === 128 + constants.signals.SIGTERM,
    },
    {
      promise: 'there is one pull request, still a draft: whether it is merged is for people to say',
      kept: changeRequests.length === 1 && changeRequests[0]?.draft === true,
    },
    {
      promise: 'the check failed at the first head, and passes at the last',
      kept: verdicts.length > 1 && verdicts[0] === false && verdicts.at(-1) === true,
    },
    {
      promise: 'each repair is a commit of its own on the same branch; nothing was pushed by force',
      kept: commits.length === verdicts.length && commits.length > 2,
    },
    {
      promise: 'the reviewer has one answer, in the thread on that line, which is resolved as was asked',
      kept:
        threads.length === 1 &&
        answers.length === 1 &&
        answers[0]?.body.includes(reviewQuestion.answer) === true &&
        thread?.resolvedBy === demoAccounts.robot,
    },
    {
      promise: 'what the reviewer asked for stands in the diff',
      kept: diff.includes(`+${reviewQuestion.wanted}`),
    },
    {
      promise:
        'the last word on the issue says why nobody watches any more, and its label that the work is done',
      kept:
        facts.lastWords.includes('All checks have passed') && facts.issueLabels.includes('coding agent done'),
    },
    { promise: 'the default branch is as it was: its test fails', kept: !facts.testsOnMain },
    { promise: "on the pull request's branch the tests pass", kept: facts.testsOnBranch },
  ];
}
