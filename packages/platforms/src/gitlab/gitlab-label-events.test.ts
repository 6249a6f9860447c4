import { expect, it } from 'vitest';
import { type GitLabFixture, onGitLab } from '../../test/fixtures/gitlab-fixture.ts';
import type { TaskKey } from '../task-key.ts';
import { contractWorld } from '../testing/index.ts';

const { repository: project } = contractWorld;
const label = 'coding agent';

const eventOf = ({ platform, key }: GitLabFixture, of = key) =>
  platform.openThread(of).labelEvents?.lastLabeled(label) ?? null;

it('says that a guest labeled the issue when opening it [NX-21]', () =>
  onGitLab(async (fixture) => {
    const { simulator, platform, projectId } = fixture;
    simulator.addUser({ username: 'guest' });
    simulator.setAccess(project, 'guest', 'guest');
    simulator.addToken({ token: 'token-of-guest', username: 'guest' });
    const response = await fetch(`${simulator.url}/api/v4/projects/${projectId}/issues`, {
      method: 'POST',
      headers: { 'private-token': 'token-of-guest', 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'Mine', labels: label }),
    });
    const { iid } = (await response.json()) as { iid: number };
    const thread = platform.openThread({ type: 'gitlab_issue', projectId, issueIid: iid });
    expect(await thread.labelEvents?.lastLabeled(label)).toMatchObject({
      actor: { login: 'guest' },
      editsSince: [],
    });
  }));

it('takes a ticked checklist item for an edit of the text: its note hides what else was changed [NX-22]', () =>
  onGitLab(async (fixture) => {
    const { simulator, people, key } = fixture;
    await people.addLabels(key, [label]);
    await people.passTime(1);
    const body = 'marked the checklist item **Tests** as completed';
    simulator.note({ project, reference: '#1', author: 'bob', body, system: true });
    simulator.note({ project, reference: '#1', author: 'bob', body: 'changed the description' });
    expect((await eventOf(fixture))?.editsSince).toMatchObject([{ part: 'body', actor: { login: 'bob' } }]);
  }));

it('lists pushes to a merge request after the label [NX-22]', () =>
  onGitLab(async (fixture) => {
    const { simulator, people } = fixture;
    const key = await people.openPullRequest({ author: 'alice', title: 'Fix', headBranch: 'fix' });
    await people.addLabels(key, [label]);
    expect((await eventOf(fixture, key))?.editsSince).toEqual([]);
    await people.passTime(1);
    const more = { project, author: 'bob', title: 'x', sourceBranch: 'fix', files: { 'b.txt': 'b' } };
    await expect(simulator.openMergeRequest(more)).rejects.toThrow('already exists');
    const pushed = { part: 'head', actor: { login: 'bob' } };
    expect((await eventOf(fixture, key))?.editsSince).toMatchObject([pushed]);
  }));

it('reads no more of the notes than are younger than the label', () =>
  onGitLab(async (fixture) => {
    const { simulator, people, key } = fixture;
    for (let index = 0; index < 150; index += 1)
      simulator.note({ project, reference: '#1', author: 'bob', body: `old ${index}` });
    await people.passTime(1);
    await people.addLabels(key, [label]);
    const before = simulator.requests.length;
    await eventOf(fixture);
    expect(simulator.requests.length - before).toBe(2);
  }));

async function assignsAndTakesOff(
  { simulator, platform }: GitLabFixture,
  { key, reference }: { readonly key: TaskKey; readonly reference: '#1' | '!1' },
) {
  const own = await platform.identity.whoAmI();
  const { history, assignees, reader } = platform.openThread(key);
  expect(await history?.lastAssigned(own)).toBeNull();
  simulator.assign(project, reference, [own.login]);
  expect(await history?.lastAssigned(own)).toMatchObject({ actor: { kind: 'person' }, editsSince: [] });
  await assignees?.unassign(own);
  await assignees?.unassign(own);
  expect((await reader.readThread()).assignees).toEqual([]);
  await assignees?.assign(own);
  expect(await history?.lastAssigned(own)).toMatchObject({ actor: { login: own.login } });
  return own;
}

it('says who assigned an account, and takes it off again', () =>
  onGitLab(async (fixture) => {
    await assignsAndTakesOff(fixture, { key: fixture.key, reference: '#1' });
  }));

it('says who assigned an account to a merge request, takes it off again, finds it by that, and lists pushes since', () =>
  onGitLab(async (fixture) => {
    const { simulator, people, platform } = fixture;
    const key = await people.openPullRequest({ author: 'alice', title: 'Fix', headBranch: 'fix' });
    const own = await assignsAndTakesOff(fixture, { key, reference: '!1' });
    const { reader, history } = platform.openThread(key);
    expect((await reader.readThread()).assignees).toEqual([own]);
    const query = { label: null, assignee: own.login, state: 'open' } as const;
    expect((await platform.tasks.listTasks(query)).tasks).toMatchObject([{ key }]);
    await people.passTime(1);
    const more = { project, author: 'bob', title: 'x', sourceBranch: 'fix', files: { 'b.txt': 'b' } };
    await expect(simulator.openMergeRequest(more)).rejects.toThrow('already exists');
    const pushed = { part: 'head', actor: { login: 'bob' } };
    expect((await history?.lastAssigned(own))?.editsSince).toMatchObject([pushed]);
  }));

it('reads the notes once for who assigned and for what was edited since', () =>
  onGitLab(async ({ simulator, platform, people, key }) => {
    const own = await platform.identity.whoAmI();
    for (let index = 0; index < 150; index += 1)
      simulator.note({ project, reference: '#1', author: 'bob', body: `old ${index}` });
    await people.passTime(1);
    simulator.assign(project, '#1', [own.login]);
    await people.passTime(1);
    await people.editThread?.(key, { body: 'After', by: 'alice' });
    const before = simulator.requests.length;
    const event = await platform.openThread(key).history?.lastAssigned(own);
    expect(event?.editsSince).toMatchObject([{ part: 'body', actor: { login: 'alice' } }]);
    expect(simulator.requests.length - before).toBe(1);
  }));
