import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { project, refusal, startTrial, type Trial } from './trial.ts';

let trial: Trial;

beforeEach(async () => {
  trial = await startTrial();
});

afterEach(() => trial.close());

describe('projects of the simulated GitLab', () => {
  it('shows a project by its path and by its id, with what the asker may do', async () => {
    const byPath = await trial.api().Projects.show(project);
    expect(byPath).toEqual(await trial.api().Projects.show(trial.projectId));
    expect(byPath).toMatchObject({
      path_with_namespace: project,
      path: 'demo',
      default_branch: 'main',
      empty_repo: false,
      visibility: 'private',
      http_url_to_repo: `${trial.simulator.url}/group/demo.git`,
      web_url: `${trial.simulator.url}/group/demo`,
      namespace: { kind: 'group', full_path: 'group' },
      permissions: { project_access: { access_level: 30 }, group_access: null },
    });
    const { permissions } = await trial.api('owner-token').Projects.show(project);
    expect(permissions).toEqual({
      project_access: null,
      group_access: { access_level: 50, notification_level: 3 },
    });
  });

  it('has no default branch while its repository is empty', async () => {
    await trial.simulator.addProject({ path: 'group/empty', files: null, members: { agent: 'developer' } });
    expect(await trial.api().Projects.show('group/empty')).toMatchObject({
      default_branch: null,
      empty_repo: true,
    });
    expect((await refusal(trial.api().Repositories.allRepositoryTrees('group/empty'))).message).toContain(
      '404 Tree Not Found',
    );
    expect(await trial.api().Branches.all('group/empty')).toEqual([]);
  });

  it('lists what one sees, and only memberships when asked', async () => {
    await trial.simulator.addProject({ path: 'group/open', visibility: 'public' });
    const paths = async (token: string, membership: boolean) =>
      (await trial.api(token).Projects.all({ membership })).map((found) => found.path_with_namespace);
    expect(await paths('agent-token', false)).toEqual(['group/open', project]);
    expect(await paths('agent-token', true)).toEqual([project]);
    expect(await paths('stranger-token', false)).toEqual(['group/open']);
  });

  it('tells members by themselves, and with those of the groups above', async () => {
    await trial.simulator.addProject({ path: 'group/sub/deep', members: { agent: 'developer' } });
    trial.simulator.setAccess('group', 'reporter', 'maintainer');
    trial.simulator.setAccess('group/sub', 'agent', 'owner');
    const levels = async (includeInherited: boolean) =>
      (await trial.api().ProjectMembers.all('group/sub/deep', { includeInherited })).map(
        ({ username, access_level: level }) => [username, level],
      );
    expect(await levels(false)).toEqual([['agent', 30]]);
    expect(await levels(true)).toEqual([
      ['agent', 50],
      ['owner', 50],
      ['reporter', 40],
    ]);
    const one = (id: number | undefined) =>
      trial.api().ProjectMembers.show('group/sub/deep', Number(id), { includeInherited: true });
    expect(await one(trial.userIds.reporter)).toMatchObject({ username: 'reporter', access_level: 40 });
    expect((await refusal(one(trial.userIds.stranger))).status).toBe(404);
    trial.simulator.setAccess('group', 'reporter', null);
    expect((await refusal(one(trial.userIds.reporter))).status).toBe(404);
  });

  it("makes somebody the owner of all in the namespace of one's own", async () => {
    await trial.simulator.addProject({ path: 'agent/mine' });
    expect(await trial.api().Projects.show('agent/mine')).toMatchObject({
      namespace: { kind: 'user' },
      permissions: { project_access: { access_level: 50 } },
    });
  });

  it('tells its version to whoever has a token', async () => {
    expect(await trial.api().Metadata.show()).toMatchObject({ version: expect.stringMatching(/^\d+\.\d+/) });
    expect((await trial.rest('/version')).body.version).toMatch(/^\d+\.\d+/);
    expect((await trial.rest('/version', { token: null })).status).toBe(401);
  });

  it('says what is missing of a seed', async () => {
    const { simulator } = trial;
    await expect(simulator.addProject({ path: 'demo' })).rejects.toThrow('write "group/project"');
    await expect(simulator.addProject({ path: project })).rejects.toThrow('already has');
    await expect(simulator.addProject({ path: 'a/b', members: { nobody: 'guest' } })).rejects.toThrow(
      'addUser',
    );
    expect(() => simulator.thread(project, '#7')).toThrow('has no #7');
    expect(() => simulator.openIssue({ project: 'a/b', author: 'agent', title: 'x' })).toThrow('addProject');
  });
});
