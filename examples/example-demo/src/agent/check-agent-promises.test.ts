import { expect, it } from 'vitest';
import { type AgentFacts, checkAgentPromises } from './check-agent-promises.ts';

const good: AgentFacts = {
  exitCode: 0,
  issueNumber: 1,
  issueLabels: ['bug', 'coding agent done'],
  changeRequests: [{ number: 2, draft: true, body: 'Closes #1' }],
  testsOnMain: false,
  testsOnBranch: true,
  roundedTotal: 9,
  issue: { messages: 1, resultsBefore: 0, resultsAfter: 6 },
  objection: { messages: 1, resultsBefore: 3, resultsAfter: 3 },
  shown: 'You are OpenCode. HOME OPENCODE_CONFIG_CONTENT PATH',
  lastWords: 'All is done. The tests pass.',
};
const broken = (fields: Partial<AgentFacts>) =>
  checkAgentPromises({ ...good, ...fields }).flatMap(({ promise, kept }) => (kept ? [] : [promise]));

it('finds every promise of the story of an agent kept after a good run', () => {
  expect(broken({})).toEqual([]);
});

it.each<[string, Partial<AgentFacts>, RegExp]>([
  ['a daemon that failed', { exitCode: 1 }, /exit code 0/],
  ['an issue that still waits', { issueLabels: ['coding agent'] }, /labeled as done/],
  ['a report without the words of the agent', { lastWords: '' }, /opencode's answer/],
  ['a missing draft', { changeRequests: [] }, /one pull request/],
  [
    'a comment that was lost',
    { objection: { ...good.objection, messages: 0 } },
    /exactly once, in one message/,
  ],
  [
    'a comment that was told twice',
    { objection: { ...good.objection, messages: 2 } },
    /exactly once, in one message/,
  ],
  [
    'a comment that came with the issue',
    { objection: { ...good.objection, resultsBefore: 0 } },
    /in the middle/,
  ],
  ['a comment that came too late', { objection: { ...good.objection, resultsAfter: 0 } }, /in the middle/],
  ['an issue that was told twice', { issue: { ...good.issue, messages: 2 } }, /the issue itself/],
  ['another agent', { shown: 'HOME OPENCODE_CONFIG_CONTENT PATH' }, /the real opencode/],
  ['a comment that was not heeded', { roundedTotal: 8 }, /rounds once/],
  ['a token that leaked', { shown: `${good.shown} GITHUB_TOKEN` }, /no token of the daemon/],
  ['a changed default branch', { testsOnMain: true }, /default branch/],
  ['failing tests', { testsOnBranch: false }, /tests pass/],
])('notices %s after the story of an agent, and nothing else', (_, fields, promise) => {
  expect(broken(fields)).toEqual([expect.stringMatching(promise)]);
});
