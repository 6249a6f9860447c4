import { afterEach, describe, expect, it } from 'vitest';
import { examine, runDoctor, startHealthyWorld } from '../../test/support/examination.ts';
import type { GitLabForge } from '../../test/support/gitlab-forge.ts';
import { repository, type World, type WorldOptions } from '../../test/support/world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

/** Starts a world in which everything is well, but for what the options change. */
async function start(options: Partial<WorldOptions> = {}): Promise<World> {
  world = await startHealthyWorld(options);
  return world;
}

describe('doctor, of GitLab', () => {
  it('finds nothing to fix on a GitLab where all is well', async () => {
    const at = await start({ forges: ['gitlab'] });
    const { code, output } = await runDoctor(at, at.forge.environment);
    expect(output).not.toContain('✗');
    expect(code).toBe(0);
    expect(output).toContain(`✓ gitlab: ${repository}: can read, push, comment`);
  });

  it('says which scope a GitLab token lacks', async () => {
    const at = await start({ forges: ['gitlab'] });
    const { code, failed } = await examine(at, at.forge.addWeakToken());
    expect(code).toBe(1);
    expect(failed.map(({ text }) => text)).toContainEqual(expect.stringContaining('the token lacks api'));
    expect(failed[0]?.url).toBe(`${at.forge.url}/-/user_settings/personal_access_tokens`);
  });

  it('says whether the account can be assigned where people give tasks by that', async () => {
    const open = 'acme/open';
    const section = { trigger: 'assignment', projects: [repository, open] };
    const at = await start({ forges: ['gitlab'], section });
    await (at.forge as GitLabForge).simulator.addProject({ path: open, visibility: 'public' });
    const { failed, findings } = await examine(at, at.forge.environment);
    expect(findings).toContainEqual(
      expect.objectContaining({ status: 'ok', text: `${repository}: assign robot to start a task` }),
    );
    expect(failed.map(({ text }) => text)).toContainEqual(`${open}: robot cannot be assigned there`);
  });

  it('says when the role in a GitLab project is too low', async () => {
    const at = await start({ forges: ['gitlab'] });
    (at.forge as GitLabForge).simulator.setAccess(repository, 'robot', 'reporter');
    const { failed } = await examine(at, at.forge.environment);
    expect(failed).toMatchObject([
      { text: expect.stringContaining('access level 20'), url: expect.stringContaining('project_members') },
    ]);
  });
});
