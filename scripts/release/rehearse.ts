// `npm run release:rehearse`: versions and tarballs of the committed state, published on a registry of this machine, and installed and
// used from there as a user does, in empty directories.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { forwardSignals } from '../bootstrap/processes.mjs';
import { listPublishablePackages } from '../workspace/list-packages.ts';
import { repositoryRoot } from '../workspace/root.ts';
import { preparePackages } from './prepare-packages.ts';
import { runProgram } from './rehearsal/run-program.ts';
import { listRuntimes } from './rehearsal/runtimes.ts';
import { startRegistry } from './rehearsal/start-registry.ts';
import { listTrials } from './rehearsal/trials.ts';
import { checkReleaseIdentity, sourceScope } from './release-identity.ts';
import { renameScope } from './rename-scope.ts';

const usage = `npm run release:rehearse [-- --scope @NAME] [--keep]

Makes versions and tarballs of the last commit in a clone, publishes them on a registry of this machine, installs each package from
there in an empty directory, and runs its first example, on the lowest and the newest Node, Bun and Deno. Changes nothing here.

  --scope @NAME  an npm scope in place of ${sourceScope}, for all packages
  --keep         leaves the directory of the rehearsal, and prints where it is
  --help         this text`;

const { values } = parseArgs({
  options: { scope: { type: 'string' }, keep: { type: 'boolean' }, help: { type: 'boolean' } },
});
if (values.help === true) console.log(usage);
else {
  forwardSignals();
  process.exitCode = await rehearseRelease(values.scope ?? sourceScope, values.keep === true).catch(
    (error: Error) => {
      console.error(`FAILED ${error.message}`);
      return 1;
    },
  );
}

async function rehearseRelease(scope: string, isKept: boolean): Promise<number> {
  // Only the real address is missing in a rehearsal.
  const identity = checkReleaseIdentity({ scope, repository: 'https://example.com/rehearsal/agent' });
  const workbench = mkdtempSync(join(tmpdir(), 'release-rehearsal-'));
  await using stack = new AsyncDisposableStack();
  stack.defer(() => {
    if (isKept) console.log(`The rehearsal is in ${workbench}.`);
    else rmSync(workbench, { recursive: true, force: true });
  });
  const clone = join(workbench, 'clone');
  if (git('status', '--porcelain') !== '') console.log('note  changes that are not committed are left out');
  git('clone', '--quiet', repositoryRoot, clone);
  await step(`prepare the packages as ${scope}`, () => {
    renameScope(clone, scope);
    preparePackages(clone, identity);
  });
  await step('make versions, and build', async () => {
    await runProgram(clone, ['node', 'scripts/bootstrap.mjs', 'changeset', 'version']);
    await runProgram(clone, ['npm', 'run', 'build', '--', '--output-logs=errors-only']);
  });
  const members = listPublishablePackages(clone);
  const upstream = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
  const registry = await startRegistry(join(workbench, 'registry'), upstream, scope);
  stack.defer(registry.close);
  const userConfig = join(workbench, 'npmrc');
  await step(`publish ${members.length} packages on ${registry.url}`, async () => {
    writeFileSync(userConfig, registry.npmrc);
    await runProgram(
      clone,
      [process.execPath, 'scripts/release/publish-new.ts', join(workbench, 'tarballs'), '--no-provenance'],
      { npm_config_userconfig: userConfig, npm_config_registry: registry.url },
    );
  });
  const runtimes = await listRuntimes(members);
  let failed = 0;
  let passed = 0;
  for (const { title, run } of listTrials({
    scope,
    clone,
    members,
    runtimes,
    registry: registry.url,
    userConfig,
  })) {
    const folder = join(workbench, 'users', String(passed + failed));
    mkdirSync(folder, { recursive: true });
    const begun = performance.now();
    const error = await run(folder).then(
      () => null,
      (reason: Error) => reason,
    );
    const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
    if (error === null) passed += 1;
    else failed += 1;
    console.log(
      `${error === null ? 'ok   ' : 'FAILED'} ${title} (${seconds} s)${error === null ? '' : `\n${error.message}`}`,
    );
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

async function step(title: string, run: () => void | Promise<void>): Promise<void> {
  const begun = performance.now();
  await run();
  console.log(`ok    ${title} (${((performance.now() - begun) / 1_000).toFixed(1)} s)`);
}

function git(...args: readonly string[]): string {
  return execFileSync('git', ['-C', repositoryRoot, ...args], { encoding: 'utf8' }).trim();
}
