import type { CheckedPromise } from '../checked-promise.ts';
import type { DemoFacts } from '../demo-facts.ts';
import { demoRounding } from '../demo-project.ts';

/** State of the world after the story. */
export interface AgentFacts
  extends Pick<
    DemoFacts,
    | 'exitCode'
    | 'issueNumber'
    | 'issueLabels'
    | 'changeRequests'
    | 'testsOnMain'
    | 'testsOnBranch'
    | 'roundedTotal'
  > {
  /** Messages of opencode's conversation in which the issue stands, and in which the objection does. */
  readonly issueMessages: number;
  readonly objectionMessages: number;
  /** All that opencode has shown its model. */
  readonly shown: string;
  /** Last comment of the agent on the issue. */
  readonly lastWords: string;
}

/** Holds what the story promises against what happened. */
export function checkAgentPromises(facts: AgentFacts): CheckedPromise[] {
  const { changeRequests, issueLabels } = facts;
  const [request] = changeRequests;
  return [
    { promise: 'the daemon ended by itself, with exit code 0', kept: facts.exitCode === 0 },
    {
      promise: 'the issue is labeled as done, and has the words of opencode',
      kept: issueLabels.includes('coding agent done') && facts.lastWords.includes('The tests pass.'),
    },
    {
      promise: 'there is exactly one pull request, a draft that links the issue',
      kept:
        changeRequests.length === 1 &&
        request?.draft === true &&
        new RegExp(`#${facts.issueNumber}\\b`).test(request.body),
    },
    {
      promise: 'what Mika said while opencode worked stands in exactly one message of its conversation',
      kept: facts.objectionMessages === 1,
    },
    { promise: 'so does the issue itself', kept: facts.issueMessages === 1 },
    {
      promise: 'what Mika asked for was done: the till rounds once',
      kept: facts.roundedTotal === demoRounding.total,
    },
    {
      promise: 'opencode knew the variables that the configuration names, and no token of the daemon',
      kept: facts.shown.includes('OPENCODE_CONFIG_CONTENT') && !/GITHUB_\w+/u.test(facts.shown),
    },
    { promise: 'the default branch is as it was: its test fails', kept: !facts.testsOnMain },
    { promise: "on the pull request's branch the tests pass", kept: facts.testsOnBranch === true },
  ];
}
