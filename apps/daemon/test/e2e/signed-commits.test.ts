// @module-tag full
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isInstalled, withProgram } from '@agent/workspace/testing';
import { expect, it, onTestFinished } from 'vitest';
import { parse, stringify } from 'yaml';
import { runDaemonCommand, startDaemonProcess } from '../support/daemon-process.ts';
import { fixScript } from '../support/fix-script.ts';
import { repository, startWorld, type World } from '../support/world.ts';

const run = promisify(execFile);

/** A world whose configuration names a key that ssh-keygen made. */
async function startSigningWorld(passphrase = ''): Promise<World> {
  const signing = { format: 'ssh', key_file: 'signing_key' };
  const world = await startWorld({ script: fixScript, config: { workspaces: { signing } } });
  onTestFinished(world.close);
  const file = join(world.directory, 'signing_key');
  await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', passphrase, '-C', 'agent', '-f', file]);
  return world;
}

const openTask = ({ gitHub }: World) =>
  gitHub.openIssue({
    repo: repository,
    author: 'alice',
    title: 'The total is wrong',
    body: 'It forgets the quantity.',
    labels: ['coding agent'],
  });

it(withProgram(
  'the draft of a run has a commit that git verifies by the configured key, which is told to nobody [NX-397, NX-399]',
  'ssh-keygen',
), async () => {
  if (!isInstalled('ssh-keygen')) return;
  const world = await startSigningWorld();
  openTask(world);
  const { output } = await startDaemonProcess(world.configFile).exited;
  const branch = (await world.forge.branches()).find((name) => name.startsWith('agent/')) ?? '';
  const allowed = join(world.directory, 'allowed');
  await writeFile(allowed, `agent ${await readFile(join(world.directory, 'signing_key.pub'), 'utf8')}`);
  const verify = ['-c', `gpg.ssh.allowedSignersFile=${allowed}`, 'verify-commit', branch];
  const { stderr } = await run('git', verify, { cwd: world.forge.gitDirectory });
  expect(stderr).toContain('Good "git" signature for agent');
  const secret = (await readFile(join(world.directory, 'signing_key'), 'utf8')).split('\n')[2] ?? '';
  expect(secret).toMatch(/^[\w+/=]{40,}$/);
  expect(output).not.toContain(secret);
  expect(JSON.stringify(world.model.requests)).not.toContain(secret);
}, 120_000);

it(withProgram(
  'a daemon whose key cannot sign does not start, and doctor says why [NX-398]',
  'ssh-keygen',
), async () => {
  if (!isInstalled('ssh-keygen')) return;
  const world = await startSigningWorld('a passphrase');
  const { number } = openTask(world);
  const { code, output } = await startDaemonProcess(world.configFile).exited;
  expect(code).not.toBe(0);
  expect(output).toContain('protected by a passphrase');
  expect(world.thread(number).labels).toEqual(['coding agent']);
  const doctor = await runDaemonCommand(world.configFile, ['doctor', '--no-model']);
  expect(doctor.output).toContain('✗ signing: Commits cannot be signed: key_file (signing_key)');
  expect(doctor.output).toContain('docs/guides/signed-commits.md');
}, 120_000);

it(withProgram(
  'doctor signs with the key, and says nothing of signing where none is configured [NX-398]',
  'ssh-keygen',
), async () => {
  if (!isInstalled('ssh-keygen')) return;
  const world = await startSigningWorld();
  const signed = await runDaemonCommand(world.configFile, ['doctor', '--no-model']);
  expect(signed.output).toContain('✓ signing: commits are signed (ssh)');
  const config = parse(await readFile(world.configFile, 'utf8')) as { workspaces: object };
  await writeFile(world.configFile, stringify({ ...config, workspaces: {} }));
  const unsigned = await runDaemonCommand(world.configFile, ['doctor', '--no-model']);
  expect(unsigned.output).not.toContain('signing');
}, 120_000);
