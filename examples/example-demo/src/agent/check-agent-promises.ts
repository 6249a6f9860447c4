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

/** Holds what the story promises against what happened. */
export function checkAgentPromises(facts: AgentFacts): CheckedPromise[] {
  const { changeRequests, issueLabels, issue, objection } = facts;
  const [request] = changeRequests;
  return [
    { promise: 'the daemon ended by itself, with exit code 0', kept: facts.exitCode === 0 },
    {
      promise: 'the real opencode worked on it: its own instructions stand in the requests to its model',
      kept: /You are opencode/iu.test(facts.shown),
    },
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
      promise:
        'what Mika said while opencode worked was heard exactly once: it stands in one message of its conversation',
      kept: objection.messages === 1,
    },
    {
      promise: 'in the middle of its work: tools ran before that message, and after it',
      kept: objection.resultsBefore > 0 && objection.resultsAfter > 0,
    },
    { promise: 'the issue itself stands in one message, too', kept: issue.messages === 1 },
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
