import { createGitLabPlatform } from '@agent/platforms/gitlab';
import { type GitLabSimulator, startGitLabSimulator } from '@agent/simulators/gitlab';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findTaskOfDraft } from './task-of-draft.ts';

const project = 'team/app';
let simulator: GitLabSimulator;
let projectId: string;
beforeEach(async () => {
  simulator = await startGitLabSimulator();
  for (const username of ['agent', 'alice']) simulator.addUser({ username });
  simulator.addToken({ token: 'agent-token', username: 'agent' });
  const members = { agent: 'maintainer', alice: 'maintainer' } as const;
  projectId = String(await simulator.addProject({ path: project, files: { 'a.txt': 'a\n' }, members }));
});
afterEach(() => simulator.close());

/** Opens a merge request, and finds what it belongs to. */
async function find(author: string, sourceBranch: string, branchPrefix = 'agent') {
  const files = { [`${author}.txt`]: sourceBranch };
  const { iid } = await simulator.openMergeRequest({ project, author, title: 'x', sourceBranch, files });
  const platform = createGitLabPlatform({
    token: 'agent-token',
    baseUrl: simulator.url,
    projects: [project],
    writeSpacingMs: 0,
  });
  const ports = platform.openThread({ type: 'gitlab_merge_request', projectId, mrIid: iid });
  const thread = await ports.reader.readThread();
  const ownAccount = await platform.identity.whoAmI();
  return findTaskOfDraft({ platform: { platform }, ports }, { thread, ownAccount, branchPrefix });
}

it("files a run on the agent's own draft under the issue that it was opened for [NX-241]", async () => {
  const { iid } = simulator.openIssue({ project, author: 'alice', title: 'Sum' });
  simulator.note({ project, reference: `#${iid}`, author: 'alice', body: 'Cents, please.' });
  const task = await find('agent', `agent/issue-${iid}-sum`);
  expect(task?.filedAs.taskKeyText).toBe(`gitlab_issue:${projectId}:${iid}`);
  expect((await task?.listComments())?.map(({ body }) => body)).toEqual(['Cents, please.']);
});

it('finds the issue by the setting branch_prefix, also in the form for a branch that is in the way', async () => {
  const { iid } = simulator.openIssue({ project, author: 'alice', title: 'Sum' });
  for (const branch of [`bots/agent/issue-${iid}-sum`, `bots-agent-issue-${iid}-sum`])
    expect((await find('agent', branch, 'bots/agent'))?.issue.number).toBe(iid);
  expect(await find('agent', `agent/issue-${iid}-sum`, 'bots/agent')).toBeNull();
});

it('files it under its own thread where somebody else opened it, or fewer people read the issue [NX-241]', async () => {
  const { iid } = simulator.openIssue({ project, author: 'alice', title: 'Sum' });
  const secret = simulator.openIssue({ project, author: 'alice', title: 'Hole', confidential: true });
  expect(await find('alice', `agent/issue-${iid}-sum`)).toBeNull();
  expect(await find('agent', 'feature')).toBeNull();
  expect(await find('agent', 'agent/issue-999-gone')).toBeNull();
  expect(await find('agent', `agent/issue-${secret.iid}-hole`)).toBeNull();
});
