import { setTimeout as sleepFor } from 'node:timers/promises';
import { type DemoGitHub, demoAccounts, demoFault, demoRepository } from '@agent/simulators/demo/parts';
import type { SimulatedDelivery } from '@agent/simulators/github';
import { readHead, testBranch } from '../inspect-branch.ts';
import type { Narrator } from '../narrator.ts';
import { reviewQuestion } from './repair-basket.ts';

/** The check's name. */
const checkName = 'test';

export interface PlayReviewsOptions {
  readonly forge: Pick<DemoGitHub, 'simulator' | 'changeRequests' | 'gitDirectory'>;
  /** Of the webhook. */
  readonly secret: string;
  readonly narrator: Pick<Narrator, 'personSays'>;
  readonly deliver: (delivery: SimulatedDelivery) => Promise<void>;
  /** For clones that are removed again. */
  readonly directory: string;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** Milliseconds between two looks at the branch. */
const glanceMs = 50;
/** The head that the reviewer waits for. */
const reviewedHead = 2;

/**
 * Plays everybody else: CI runs the project's tests at each new head of the pull request, for real, and the reviewer comments on a line
 * of the second one before CI has answered.
 *
 * @returns how the check ended, head by head, once it is aborted
 */
export async function playReviews(options: PlayReviewsOptions): Promise<readonly boolean[]> {
  const { forge, signal } = options;
  const verdicts: boolean[] = [];
  let known = '';
  while (!signal.aborted) {
    const [request] = forge.changeRequests();
    const branch = request?.changeRequest?.head ?? null;
    const head = branch === null ? known : await readHead(forge.gitDirectory, branch);
    if (request === undefined || branch === null || head === known) {
      await sleepFor(glanceMs);
      continue;
    }
    known = head;
    if (verdicts.length + 1 === reviewedHead) await review(options, request.number);
    verdicts.push(await runTests(options, { branch, sha: head }));
  }
  return verdicts;
}

async function runTests(
  { forge, secret, narrator, deliver, directory }: PlayReviewsOptions,
  { branch, sha }: { readonly branch: string; readonly sha: string },
): Promise<boolean> {
  const { passed, output } = await testBranch(forge.gitDirectory, {
    branch,
    scratch: directory,
    expression: '0',
  });
  const conclusion = passed ? 'success' : 'failure';
  const repo = demoRepository.path;
  await forge.simulator.ci.report(repo, sha, { name: checkName, conclusion, log: output });
  narrator.personSays('ci', `${passed ? '✅' : '❌'} the check "${checkName}" at ${sha.slice(0, 7)}`);
  const event = { repo, event: 'check_run', action: 'completed', sha, name: checkName } as const;
  await deliver(forge.simulator.composeDelivery(event, secret));
  return passed;
}

async function review(
  { forge, secret, narrator, deliver }: PlayReviewsOptions,
  number: number,
): Promise<void> {
  const { simulator } = forge;
  const repo = demoRepository.path;
  const commentId = await simulator.reviews.comment({
    ...{ repo, number, author: demoAccounts.reporter, body: reviewQuestion.body },
    ...{ path: demoFault.file, line: 8 },
  });
  narrator.personSays('mika', `on line 8: ${reviewQuestion.body}`);
  const event = { repo, event: 'pull_request_review_comment', action: 'created', commentId } as const;
  await deliver(simulator.composeDelivery(event, secret));
}
