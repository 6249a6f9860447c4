import { execFileSync } from 'node:child_process';
import { lstat, mkdir, readdir, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { followSteps, type Script } from '@agent/simulators/model';
import { findSandbox, sandboxed } from '@agent/workspace/testing';
import { afterEach, expect, it } from 'vitest';
import { startDaemonProcess } from '../support/daemon-process.ts';
import { fixScript } from '../support/fix-script.ts';
import { startWorld, type World } from '../support/world.ts';

const sandbox = await findSandbox();
let world: World;
afterEach(() => world.close());

async function openTask(runCommand: object, script: Script = fixScript): Promise<void> {
  world = await startWorld({
    script,
    config: { tools: { run_command: { allow: ['node'], ...runCommand } } },
  });
  const labels = ['coding agent'];
  world.forge.openIssue({ title: 'The total is wrong', body: 'It forgets the quantity.', labels });
}

const labels = () => world.forge.threads()[0]?.labels;

it('does not start where bubblewrap is required and missing, says what to do, and touches no task [NX-31]', async () => {
  await openTask({ allow_root: true });
  const PATH = join(world.directory, 'bin');
  await mkdir(PATH);
  await symlink(execFileSync('which', ['git'], { encoding: 'utf8' }).trim(), join(PATH, 'git'));
  const exit = await startDaemonProcess(world.configFile, { alone: true, environment: { PATH } }).exited;
  expect(exit.code).toBe(1);
  expect(exit.output).toMatch(/bubblewrap \(bwrap\) is not installed: install bubblewrap/);
  expect(labels()).toEqual(['coding agent']);
});

it(sandboxed('carries out a task whose commands run in bubblewrap [NX-32]', sandbox), async () => {
  await openTask({ sandbox: sandbox === null ? 'off' : 'required', allow_root: true });
  const exit = await startDaemonProcess(world.configFile).exited;
  expect(exit.output).toContain(sandbox === null ? 'without a sandbox' : 'running commands in bubblewrap');
  expect(labels()).toEqual(['coding agent done']);
});

it('delivers the work of a run that left pipes where git looks for its rules [NX-33]', {
  tags: ['full'],
}, async () => {
  const makePipes = `require('child_process').execFileSync('mkfifo', ['.gitattributes', '.gitignore'])`;
  const script = followSteps([
    { toolCalls: [{ name: 'run_command', input: { command: 'node', args: ['-e', makePipes] } }] },
    { toolCalls: [{ name: 'write_file', input: { path: 'made.txt', content: 'made' } }] },
    { text: 'It is made.' },
  ]);
  await openTask({ sandbox: 'off', allow_root: true }, script);
  const exit = await startDaemonProcess(world.configFile).exited;
  expect(exit.code).toBe(0);
  expect(labels()).toEqual(['coding agent done']);
});

it('keeps nothing of a run that another account could read [NX-35]', { tags: ['full'] }, async () => {
  await openTask({ sandbox: 'off', allow_root: true });
  await startDaemonProcess(world.configFile).exited;
  expect(await listOpen(join(world.directory, 'contexts'))).toEqual([]);
  expect((await stat(join(world.directory, 'workspaces'))).mode & 0o777).toBe(0o700);
});

/** Files and directories from there on that others may read, write or enter. */
async function listOpen(directory: string): Promise<readonly string[]> {
  const below = await readdir(directory, { recursive: true });
  const paths = [directory, ...below.map((name) => join(directory, name))];
  const modes = await Promise.all(paths.map(async (path) => (await lstat(path)).mode & 0o077));
  expect(paths.length).toBeGreaterThan(5);
  return paths.filter((_, index) => modes[index] !== 0);
}
