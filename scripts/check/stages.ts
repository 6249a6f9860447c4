import { mkdirSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { listPublishablePackages, type WorkspacePackage } from '../workspace/list-packages.ts';
import { packPackage } from '../workspace/pack-package.ts';
import { repositoryRoot } from '../workspace/root.ts';
import { auditLockfile, tallyAudit } from './audit-lockfile.ts';
import { isPlain, readCommand, runCommand } from './run-command.ts';
import { readTestReport, runTests, type TestSuite } from './run-tests.ts';
import { addTallies, type Stage, type Tally, tallyExitCode } from './stage.ts';
import { tallyTests } from './tally-tests.ts';

/** Everything `npm test` does, in its order; `npm run test:full` does it with every test. */
export const listStages = (options: { readonly full: boolean }): readonly Stage[] => [
  { title: 'sources', run: checkSources },
  { title: 'tests', run: () => runSuite('all', options) },
  commandStage('build', ['turbo', 'run', 'build', '--continue', '--output-logs=errors-only']),
  { title: 'packages as they would be published', run: checkPackages },
  ...(options.full
    ? [
        {
          title: 'known vulnerabilities of the dependencies',
          run: async () => tallyAudit(await auditLockfile()),
        },
        {
          title: 'stories with runs in PostgreSQL, and documents as a site',
          run: async () => addTallies(await Promise.all([runSuite('postgres', options), buildSite()])),
        },
        commandStage('requirements, each shown by a test', ['node', 'scripts/requirements.ts', '--strict']),
      ]
    : []),
];

function commandStage(title: string, command: readonly [string, ...string[]]): Stage {
  return { title, run: async () => tallyExitCode(await runCommand(command)) };
}

async function runSuite(suite: TestSuite, options: { readonly full: boolean }): Promise<Tally> {
  return tallyTests(await runTests(suite, options), readTestReport(suite));
}

function buildSite(): Promise<Tally> {
  const command = ['node', '--conditions=@agent/source', 'site/src/main.ts', 'build'] as const;
  return runQuietly('documents as a site', command);
}

/** Runs a command whose output comes in one piece when it has ended, since others run beside it. */
async function runQuietly(title: string, command: readonly [string, ...string[]]): Promise<Tally> {
  const { exitCode, output } = await readCommand(command);
  console.log(`${output}${title}: ${exitCode === 0 ? 'passed' : 'FAILED'}`);
  return tallyExitCode(exitCode);
}

/** What reads sources and changes none, side by side. */
async function checkSources(): Promise<Tally> {
  const checks: readonly (readonly [string, readonly [string, ...string[]]])[] = [
    ['types of the packages', ['tsc', '-p', 'tsconfig.packages.json']],
    ['format and lint', ['biome', 'ci', isPlain ? '--colors=off' : '--colors=force', '.']],
    ['dead code', ['knip', '--no-progress']],
    ['imports', ['node', 'scripts/imports.ts']],
    ['types of the scripts', ['tsc', '-p', 'tsconfig.json']],
  ];
  return sideBySide(checks, ([title, command]) => runQuietly(title, command));
}

async function checkPackages(): Promise<Tally> {
  const tarballs = join(repositoryRoot, '.reports', 'tarballs');
  rmSync(tarballs, { recursive: true, force: true });
  mkdirSync(tarballs, { recursive: true });
  return sideBySide(listPublishablePackages(), (one) => checkPackage(one, tarballs));
}

/** Checks as many at once as there are cores. */
async function sideBySide<One>(all: readonly One[], check: (one: One) => Promise<Tally>): Promise<Tally> {
  const waiting = [...all];
  const tallies: Tally[] = [];
  const checkNext = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      tallies.push(await check(next));
  };
  await Promise.all(Array.from({ length: availableParallelism() }, checkNext));
  return addTallies(tallies);
}

async function checkPackage({ folder, manifest }: WorkspacePackage, tarballs: string): Promise<Tally> {
  const tarball = await packPackage(folder, tarballs);
  console.log(`${manifest.name}:`);
  const linted = await runCommand(['publint', 'run', tarball, '--strict']);
  // A program has no entry points whose types could be wrong.
  const hasEntryPoints = manifest.exports !== undefined;
  const typed = hasEntryPoints ? await runCommand(['attw', tarball, '--profile', 'esm-only', '--quiet']) : 0;
  if (typed !== 0) console.log(`Details: attw ${tarball} --profile esm-only`);
  return tallyExitCode(linted || typed);
}
