// `npm run test:release`: the stages that take too long for every change, one after the other.
import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { forwardSignals, interruptionExitCode } from './bootstrap/processes.mjs';
import { formatLastRelease, writeLastRelease } from './release-test/last-release.ts';
import { listReleaseStages } from './release-test/list-release-stages.ts';
import { runReleaseStage, type StageResult } from './release-test/run-release-stage.ts';
import { repositoryRoot } from './workspace/root.ts';

const usage = `npm run test:release [-- --only STAGE] [--list]

Runs the stages that take too long for every change, and writes date, commit and results of a run of all stages to
docs/contributing/last-release-test.json. A stage that this machine cannot run is reported as not shown.

  --only STAGE  one stage; can be repeated. Nothing is written then.
  --list        the stages with their commands
  --help        this text`;

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    list: { type: 'boolean' },
    help: { type: 'boolean' },
  },
});

const stages = listReleaseStages();
const unknown = (values.only ?? []).filter((name) => !stages.some((stage) => stage.name === name));
if (values.help === true) console.log(usage);
else if (values.list === true)
  for (const { name, title, command } of stages)
    console.log(`${name.padEnd(16)} ${title}\n${' '.repeat(17)}${command?.join(' ') ?? 'not there yet'}`);
else if (unknown.length > 0) {
  console.error(`There is no stage ${unknown.join(', ')}.\n\n${usage}`);
  process.exitCode = 2;
} else process.exitCode = await runAll();

async function runAll(): Promise<number> {
  forwardSignals();
  const chosen = stages.filter(({ name }) => values.only?.includes(name) ?? true);
  const results: StageResult[] = [];
  for (const [index, stage] of chosen.entries()) {
    console.log(`\n=== ${index + 1}/${chosen.length} ${stage.title}`);
    const result = await runReleaseStage(stage);
    const interrupted = interruptionExitCode();
    if (interrupted !== null) return interrupted;
    results.push(result);
    console.log(`=== ${formatResult(result)}`);
  }
  console.log(`\n${results.map(formatResult).join('\n')}`);
  if (values.only === undefined) {
    const last = { date: new Date().toISOString().slice(0, 10), commit: readCommit(), stages: results };
    await writeLastRelease(last);
    console.log(`\n${formatLastRelease(last)}`);
  }
  const failed = results.filter(({ result }) => result === 'failed').length;
  console.log(`${results.filter(({ result }) => result === 'passed').length} passed, ${failed} failed`);
  return failed > 0 ? 1 : 0;
}

function formatResult({ name, result, seconds, reason }: StageResult): string {
  const word = { passed: 'passed', failed: 'FAILED', 'not shown': 'not shown' }[result];
  return `${name}: ${word} in ${seconds} s${reason === null ? '' : ` (${reason})`}`;
}

/** Short name of the commit, with `+` if files differ from it. */
function readCommit(): string {
  const git = (...args: readonly string[]): string =>
    execFileSync('git', args, { cwd: repositoryRoot, encoding: 'utf8' }).trim();
  return `${git('rev-parse', '--short=12', 'HEAD')}${git('status', '--porcelain') === '' ? '' : '+'}`;
}
