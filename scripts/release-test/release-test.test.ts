import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { repositoryRoot } from '../workspace/root.ts';
import { formatLastRelease } from './last-release.ts';
import { listReleaseStages } from './list-release-stages.ts';
import { runReleaseStage, type StageResult } from './run-release-stage.ts';

const run = (script: string) =>
  runReleaseStage({ name: 'sample', title: 'a sample', command: ['node', '--eval', script] });

it('a stage passes or fails by its exit code', async () => {
  expect(await run('')).toMatchObject({ name: 'sample', result: 'passed', reason: null });
  expect(await run('process.exit(1)')).toMatchObject({ result: 'failed', reason: 'exit code 1' });
});

it('a stage that this machine cannot run is not shown, however it ends', async () => {
  const reason = 'no network';
  expect(await run(`console.log("NOT SHOWN HERE: ${reason}")`)).toMatchObject({
    result: 'not shown',
    reason,
  });
  expect(await run('process.exit(3)')).toMatchObject({ result: 'not shown' });
  expect(await run('console.log("NOT SHOWN HERE: x"); process.exit(1)')).toMatchObject({ result: 'failed' });
  expect(await runReleaseStage({ name: 'later', title: 'later', command: null })).toMatchObject({
    result: 'not shown',
    reason: 'it does not exist yet',
  });
});

it('every stage names a program that exists', () => {
  const programs = listReleaseStages().flatMap(
    ({ command }) => command?.filter((part) => part.endsWith('main.ts')) ?? [],
  );
  expect(programs.length).toBeGreaterThan(5);
  expect(programs.filter((path) => !existsSync(join(repositoryRoot, path)))).toEqual([]);
});

it('the stage of the model matrix runs its files as soon as they exist', async () => {
  const root = await mkdtemp(join(tmpdir(), 'release-test-'));
  const commandOf = () => listReleaseStages(root).find(({ name }) => name === 'model-matrix')?.command;
  expect(commandOf()).toBeNull();
  const folder = join(root, 'packages', 'runner', 'test', 'conformance');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'daemon.test.ts'), '');
  expect(commandOf()).toEqual(['vitest', 'run', 'packages/runner/test/conformance/daemon.test.ts']);
  await rm(root, { recursive: true });
});

it('the last run is one line, which names what failed and what was not shown', () => {
  const stage = (name: string, result: StageResult['result']): StageResult => ({
    name,
    result,
    seconds: 1,
    reason: null,
  });
  const base = { date: '2026-11-28', commit: '1a2b3c4' };
  expect(formatLastRelease(null)).toBe('last test:release: none yet');
  expect(formatLastRelease({ ...base, stages: [stage('kill', 'passed'), stage('money', 'passed')] })).toBe(
    'last test:release: 2026-11-28 at 1a2b3c4, 2 stages, all passed',
  );
  expect(
    formatLastRelease({
      ...base,
      stages: [stage('kill', 'failed'), stage('cluster', 'not shown'), stage('money', 'passed')],
    }),
  ).toBe('last test:release: 2026-11-28 at 1a2b3c4, 3 stages, 1 failed (kill), 1 not shown (cluster)');
});
