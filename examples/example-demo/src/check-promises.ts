/** What the world looks like after the run. */
export interface DemoFacts {
  readonly exitCode: number;
  readonly changeRequestWord: 'pull request' | 'merge request';
  readonly issueNumber: number;
  readonly issueLabels: readonly string[];
  /** Comments on the issue by the agent's account. */
  readonly ownComments: readonly string[];
  readonly changeRequests: readonly {
    readonly number: number;
    readonly draft: boolean;
    readonly body: string;
  }[];
  /** Whether the project's tests pass on the default branch, and on that of the pull or merge request; null without one. */
  readonly testsOnMain: boolean;
  readonly testsOnBranch: boolean | null;
}

export interface CheckedPromise {
  readonly promise: string;
  readonly kept: boolean;
}

/** Holds what the demonstration promises against what happened. */
export function checkPromises(facts: DemoFacts): CheckedPromise[] {
  const { changeRequests, changeRequestWord: word } = facts;
  const [changeRequest] = changeRequests;
  const link = new RegExp(`#${facts.issueNumber}\\b`);
  return [
    { promise: 'the daemon ended by itself, with exit code 0', kept: facts.exitCode === 0 },
    {
      promise: 'the issue is labelled as done and no longer as waiting',
      kept: facts.issueLabels.includes('coding agent done') && !facts.issueLabels.includes('coding agent'),
    },
    { promise: 'the agent left exactly one report on the issue', kept: facts.ownComments.length === 1 },
    {
      promise: `there is exactly one ${word}, a draft that links the issue`,
      kept: changeRequests.length === 1 && changeRequest?.draft === true && link.test(changeRequest.body),
    },
    { promise: 'the default branch is as it was: its test fails', kept: !facts.testsOnMain },
    { promise: `on the ${word}'s branch the tests pass`, kept: facts.testsOnBranch === true },
  ];
}
