// @module-tag full
import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { followSteps } from '@agent/simulators/model';
import { expect, it, onTestFinished } from 'vitest';
import { startDaemonProcess } from '../support/daemon-process.ts';
import { fixScript } from '../support/fix-script.ts';
import { projectFiles, repository, startWorld } from '../support/world.ts';

const run = promisify(execFile);

it('a run reads its submodule, and its draft leaves that as it was [NX-227]', async () => {
  const steps = [0, 1, 2, 3, 4].map(
    () => (view: Parameters<typeof fixScript>[0]) =>
      fixScript({ ...view, exchanges: view.exchanges.slice(1) }),
  );
  const readIt = { toolCalls: [{ name: 'read_file', input: { path: 'vendor/quantities/README.md' } }] };
  const world = await startWorld({ script: followSteps([readIt, ...steps]), files: projectFiles });
  onTestFinished(world.close);
  const files = { 'README.md': 'Quantities are numbers.\n' };
  await world.gitHub.addRepository({ owner: 'acme', name: 'quantities', files });
  const sha = await nameSubmodule(world.forge.gitDirectory);
  const { number } = world.gitHub.openIssue({
    repo: repository,
    author: 'alice',
    title: 'The total is wrong',
    body: 'It forgets the quantity.',
    labels: ['coding agent'],
  });
  await startDaemonProcess(world.configFile).exited;
  expect(world.thread(number).labels).toEqual(['coding agent done']);
  const told = JSON.stringify(world.model.requests);
  expect(told).toContain('checked out as plain files');
  expect(told).toContain('Quantities are numbers.');
  expect(world.forge.changeRequests()).toHaveLength(1);
  const branch = (await world.forge.branches()).find((name) => name.startsWith('agent/')) ?? '';
  const args = ['ls-tree', branch, 'vendor/quantities'];
  const { stdout } = await run('git', args, { cwd: world.forge.gitDirectory });
  expect(stdout).toBe(`160000 commit ${sha}\tvendor/quantities\n`);
}, 120_000);

/** Adds the submodule to the base branch, and answers its commit. */
async function nameSubmodule(directory: string): Promise<string> {
  const library = join(dirname(directory), 'quantities.git');
  const sha = (await run('git', ['rev-parse', 'main'], { cwd: library })).stdout.trim();
  const modules = '[submodule "quantities"]\n\tpath = vendor/quantities\n\turl = ../quantities.git\n';
  const message = 'Name the submodule\n';
  const lines = [
    'commit refs/heads/main',
    'committer Alice <alice@example.com> 1700000000 +0000',
    `data ${message.length}\n${message}`,
    'from refs/heads/main^0',
    `M 160000 ${sha} vendor/quantities`,
    `M 100644 inline .gitmodules\ndata ${modules.length}\n${modules}`,
    'done\n',
  ];
  const importing = run('git', ['fast-import', '--quiet', '--done'], { cwd: directory });
  importing.child.stdin?.end(lines.join('\n'));
  await importing;
  return sha;
}
