import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { run } from '../bootstrap/processes.mjs';
import { quietEnvironment } from '../workspace/quiet-environment.ts';
import { repositoryRoot } from '../workspace/root.ts';
import type { ReleaseStage } from './list-release-stages.ts';

export interface StageResult {
  readonly name: string;
  readonly result: 'passed' | 'failed' | 'not shown';
  readonly seconds: number;
  /** Why it was not shown, or the exit code of a failure; null if it passed. */
  readonly reason: string | null;
}

/** Exit code of a program that this machine cannot run. */
const notShownCode = 3;

/** Runs a stage; what it prints is shown and kept in `.reports/release`. */
export async function runReleaseStage(stage: ReleaseStage): Promise<StageResult> {
  const { name, command, environment = {} } = stage;
  if (command === null) return { name, result: 'not shown', seconds: 0, reason: 'it does not exist yet' };
  const startedAt = performance.now();
  const reports = join(repositoryRoot, '.reports', 'release');
  await mkdir(reports, { recursive: true });
  const file = createWriteStream(join(reports, `${name}.log`));
  let notShown: string | null = null;
  const onText = (text: string): void => {
    process.stdout.write(text);
    file.write(text);
    notShown ??= /NOT SHOWN HERE[:,]? *(.*)/u.exec(text)?.[1]?.trim() ?? null;
  };
  const [program, ...args] = command;
  const exitCode = await run(program, args, {
    ...{
      cwd: repositoryRoot,
      env: { ...quietEnvironment(), ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
    onText,
  });
  file.end();
  await finished(file);
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  return { name, seconds, ...judge(exitCode, notShown) };
}

/** Judges a stage: what ended well but lacked something of the machine is not shown. */
function judge(exitCode: number, notShown: string | null): Pick<StageResult, 'result' | 'reason'> {
  if (exitCode === notShownCode || (exitCode === 0 && notShown !== null))
    return { result: 'not shown', reason: notShown ?? 'this machine cannot run it' };
  return exitCode === 0
    ? { result: 'passed', reason: null }
    : { result: 'failed', reason: `exit code ${exitCode}` };
}
