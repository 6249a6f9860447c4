import { demoRounding } from '@agent/simulators/demo/parts';
import type { CheckedPromise } from '../checked-promise.ts';
import type { DemoFacts } from '../demo-facts.ts';
import type { HeardText } from './play-opencode.ts';

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
  /** Place of the issue in opencode's conversation, and of the objection. */
  readonly issue: HeardText;
  readonly objection: HeardText;
  /** All that opencode has shown its model. */
  readonly shown: string;
  /** Last comment of the agent on the issue. */
  readonly lastWords: string;
}

/** Checks the promises of the story against the state of the forge and the conversation. */
export function checkAgentPromises(facts: AgentFacts): CheckedPromise[] {
  const { changeRequests, issueLabels, issue, objection } = facts;
  const [request] = changeRequests;
  return [
    { promise: 'the daemon exited by itself with exit code 0', kept: facts.exitCode === 0 },
    {
      promise: 'the real opencode did the work: the requests to its model contain its own instructions',
      kept: /You are opencode/iu.test(facts.shown),
    },
    {
      promise: "the issue is labeled as done and shows opencode's answer",
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
      promise: "opencode received Mika's comment exactly once, in one message of its conversation",
      kept: objection.messages === 1,
    },
    {
      promise: 'the comment arrived in the middle of its work: tools ran before and after that message',
      kept: objection.resultsBefore > 0 && objection.resultsAfter > 0,
    },
    { promise: 'the issue itself is also in exactly one message', kept: issue.messages === 1 },
    {
      promise: 'the code does what Mika asked for: the till rounds once',
      kept: facts.roundedTotal === demoRounding.total,
    },
    {
      promise: 'opencode received the variables that the configuration names, and no token of the daemon',
      kept: facts.shown.includes('OPENCODE_CONFIG_CONTENT') && !/GITHUB_\w+/u.test(facts.shown),
    },
    { promise: 'the default branch is unchanged: its test still fails', kept: !facts.testsOnMain },
    { promise: 'the tests pass on the branch of the pull request', kept: facts.testsOnBranch === true },
  ];
}
