import { afterEach, expect, it } from 'vitest';
import { startDaemonProcess } from '../support/daemon-process.ts';
import { fixScript } from '../support/fix-script.ts';
import { readWithGit } from '../support/forge-git.ts';
import type { GitLabForge } from '../support/gitlab-forge.ts';
import { projectFiles, repository, startWorld, type World } from '../support/world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

const seed = { title: 'The total is wrong', body: 'It forgets the quantity.', labels: ['coding agent'] };

it('a project that is renamed while another takes its path gets the work, and the other nothing [NX-28]', async () => {
  let replaced: Promise<unknown> | null = null;
  world = await startWorld({
    script: fixScript,
    forges: ['gitlab'],
    onModelRequest: async () => {
      replaced ??= replace();
      await replaced;
    },
  });
  const { simulator } = world.forge as GitLabForge;
  const members = { robot: 'developer', alice: 'maintainer' } as const;
  const replace = async () => {
    simulator.moveProject(repository, 'acme/renamed');
    await simulator.addProject({ path: repository, files: projectFiles, members });
  };
  world.forge.openIssue(seed);
  const { code } = await startDaemonProcess(world.configFile).exited;
  expect(simulator.thread('acme/renamed', '#1').labels).toEqual(['coding agent done']);
  expect(simulator.threads('acme/renamed').filter(({ mergeRequest }) => mergeRequest !== null)).toHaveLength(
    1,
  );
  expect(simulator.threads(repository)).toEqual([]);
  expect(await readWithGit(simulator.gitDirectory(repository)).branches()).toEqual(['main']);
  expect(code).toBe(0);
});

it('a repository that another one has replaced by its name hears nothing of the run [NX-28]', {
  tags: ['full'],
}, async () => {
  let replaced: Promise<unknown> | null = null;
  world = await startWorld({
    script: fixScript,
    onModelRequest: async () => {
      replaced ??= replace();
      await replaced;
    },
  });
  const { gitHub } = world;
  const collaborators = { robot: 'write', alice: 'write' } as const;
  const replace = async () => {
    gitHub.deleteRepository(repository);
    await gitHub.addRepository({ owner: 'acme', name: 'shop', files: projectFiles, collaborators });
    gitHub.openIssue({ repo: repository, author: 'alice', title: 'Another story' });
  };
  world.forge.openIssue(seed);
  const { code, output } = await startDaemonProcess(world.configFile).exited;
  expect(code).toBe(1);
  expect(output).toContain('acme/shop is not the repository that acme/shop was when this run started');
  expect(gitHub.threads(repository)).toMatchObject([{ title: 'Another story', labels: [], comments: [] }]);
});
