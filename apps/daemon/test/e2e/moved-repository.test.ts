// @module-tag full
import { afterEach, expect, it } from 'vitest';
import { quickWaits, runDaemonCommand, startDaemonProcess } from '../support/daemon-process.ts';
import { fixScript } from '../support/fix-script.ts';
import { readWithGit } from '../support/forge-git.ts';
import type { GitLabForge } from '../support/gitlab-forge.ts';
import { sampleOf } from '../support/samples.ts';
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

const moments = [
  ['while the model works', 'model'],
  ['after the push', 'git-receive-pack'],
  ['after the draft is opened', 'POST /repos/acme/shop/pulls'],
] as const;

it.for(sampleOf(moments, ([, moment]) => moment === 'model'))(
  'a run whose issue is transferred %s ends as stopped, and writes nothing in the other repository [NX-28]',
  { tags: ['full'] },
  async ([, moment]) => {
    let moved: object | null = null;
    const meet = (label: string, { gitHub }: World): void => {
      if (!label.includes(moment)) return;
      moved ??= gitHub.thread('acme/other', gitHub.transferIssue(repository, 1, 'acme/other'));
    };
    const at: World = await startWorld({
      script: fixScript,
      onModelRequest: () => meet('model', at),
      onForgeRequest: (label) => meet(label, at),
    });
    world = at;
    await at.forge.addRepository('acme/other');
    at.forge.openIssue(seed);
    const daemon = startDaemonProcess(at.configFile, { flags: [], nodeArguments: quickWaits });
    await daemon.printed(/"msg":"finished task"/);
    daemon.child.kill('SIGTERM');
    const { output } = await daemon.exited;
    const [uuid = ''] = await at.runs.list('completed');
    expect(JSON.parse(await at.runs.readFile(uuid, 'outcome.json')), output).toMatchObject({
      status: 'stopped',
      details: { stop_cause: 'deleted' },
    });
    expect(moved).not.toBeNull();
    expect(at.gitHub.threads('acme/other')).toEqual([moved]);
    expect(await at.runs.list('running')).toEqual([]);
  },
);

/** A run that was paused by a command; its daemon has ended since. */
async function startPaused() {
  let asked = 0;
  const at = await startWorld({
    script: fixScript,
    config: { poll_interval_seconds: 0.2 },
    onModelRequest: async () => {
      asked += 1;
      if (asked === 2) await runDaemonCommand(at.configFile, ['pause', `${repository}#1`]);
    },
  });
  world = at;
  at.forge.openIssue(seed);
  const daemon = startDaemonProcess(at.configFile, { flags: [] });
  await daemon.printed(/paused task/);
  daemon.child.kill('SIGTERM');
  await daemon.exited;
  const { paused } = JSON.parse((await runDaemonCommand(at.configFile, ['status', '--json'])).output);
  return { at, uuid: String(paused[0].uuid) };
}

it('a paused run is resumed in its repository after a rename [NX-28]', { tags: ['release'] }, async () => {
  const { at, uuid } = await startPaused();
  await at.gitHub.moveRepository(repository, 'acme/renamed');
  await runDaemonCommand(at.configFile, ['resume', uuid]);
  const { code, output } = await startDaemonProcess(at.configFile).exited;
  expect(output).toContain('resumed task');
  expect(code).toBe(0);
  expect(at.gitHub.thread('acme/renamed', 1).labels).toEqual(['coding agent done']);
});

it('a paused run stays paused, and out of a repository that took over the name [NX-28]', async () => {
  const { at, uuid } = await startPaused();
  const { gitHub } = at;
  await gitHub.moveRepository(repository, 'acme/renamed');
  const collaborators = { robot: 'write', alice: 'write' } as const;
  await gitHub.addRepository({ owner: 'acme', name: 'shop', files: projectFiles, collaborators });
  gitHub.openIssue({ repo: repository, author: 'alice', title: 'Another story' });
  const refusal = /acme\/shop is not the repository that acme\/shop was when this run started/;
  const listPaused = async () =>
    JSON.parse((await runDaemonCommand(at.configFile, ['status', '--json'])).output).paused;
  await runDaemonCommand(at.configFile, ['resume', uuid]);
  expect((await startDaemonProcess(at.configFile).exited).output).toMatch(refusal);
  expect(await listPaused()).toMatchObject([{ uuid }]);
  expect(gitHub.threads(repository)).toMatchObject([{ title: 'Another story', labels: [], comments: [] }]);
});

it('a new task in a repository that took over the name begins once an operator accepts it [NX-28]', async () => {
  world = await startWorld({ script: fixScript });
  const { gitHub, configFile, forge } = world;
  forge.openIssue(seed);
  expect((await startDaemonProcess(configFile).exited).code).toBe(0);
  gitHub.deleteRepository(repository);
  const collaborators = { robot: 'write', alice: 'write' } as const;
  await gitHub.addRepository({ owner: 'acme', name: 'shop', files: projectFiles, collaborators });
  gitHub.openIssue({ repo: repository, author: 'alice', title: 'Another story' });
  forge.openIssue(seed);
  const refusal = /acme\/shop is not the repository that had this name before/;
  expect((await startDaemonProcess(configFile).exited).output).toMatch(refusal);
  expect((await runDaemonCommand(configFile, ['doctor'])).output).toContain('agent-daemon accept acme/shop');
  expect(gitHub.threads(repository)).toMatchObject([
    { labels: [] },
    { labels: ['coding agent'], comments: [] },
  ]);
  expect((await runDaemonCommand(configFile, ['status'])).output).toMatch(refusal);
  expect((await runDaemonCommand(configFile, ['accept', 'acme/other'])).output).toContain(
    'Waiting: acme/shop',
  );
  expect(await runDaemonCommand(configFile, ['accept', repository])).toMatchObject({ code: 0 });
  const { code, output } = await startDaemonProcess(configFile).exited;
  expect(code, output.slice(-2_000)).toBe(0);
  expect(gitHub.thread(repository, 2).labels).toEqual(['coding agent done']);
});
