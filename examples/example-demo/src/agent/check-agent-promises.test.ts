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
  issueMessages: 1,
  objectionMessages: 1,
  shown: 'HOME OPENCODE_CONFIG_CONTENT PATH',
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
  ['a report without the words of the agent', { lastWords: '' }, /words of opencode/],
  ['a missing draft', { changeRequests: [] }, /one pull request/],
  ['a comment that was lost', { objectionMessages: 0 }, /what Mika said/],
  ['a comment that was told twice', { objectionMessages: 2 }, /what Mika said/],
  ['an issue that was told twice', { issueMessages: 2 }, /the issue itself/],
  ['a comment that was not heeded', { roundedTotal: 8 }, /rounds once/],
  ['a token that leaked', { shown: `${good.shown} GITHUB_TOKEN` }, /no token of the daemon/],
  ['a changed default branch', { testsOnMain: true }, /default branch/],
  ['failing tests', { testsOnBranch: false }, /tests pass/],
])('notices %s after the story of an agent, and nothing else', (_, fields, promise) => {
  expect(broken(fields)).toEqual([expect.stringMatching(promise)]);
});
